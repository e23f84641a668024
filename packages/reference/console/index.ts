import { formAction, type PageRoute, page } from '@campus/intranet/pages/page'

export const CONSOLE_PAGES: readonly PageRoute[] = [
  ...page({
    path: '/apidoc/console',
    access: 'anybody',
    show: async (context) => (await import('./sender.ts')).showSender(context),
  }),
  ...formAction({
    path: '/apidoc/console/token',
    access: 'signed-in',
    submit: async (context, form) => (await import('./token.ts')).issueForConsole(context, form),
  }),
]
