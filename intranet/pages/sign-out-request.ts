import { type LogoutRequest, readLogout } from '../oauth/openid/logout-request.ts'
import { isSessionOf } from '../oauth/openid/sessions.ts'
import { buttonForm } from './fields.ts'
import { html, say, sayWith } from './html.ts'
import { formAction, type Outcome, type PageContext, page, pageContent, redirectTo } from './page.ts'
import { endSessionHere } from './sign-in/sign-out.ts'
import { queryOf } from './sign-in-again.ts'

const CONFIRM_PATH = '/oauth/logout/confirm'

/** Signs people out for an application (OpenID Connect RP-Initiated Logout 1.0). */
export const signOutRequest = ['/oauth/logout', '/v2/oauth/logout'].flatMap((path) =>
  page({
    path,
    access: 'anybody',
    hasHead: false,
    async show(context) {
      const asked = await readAsked(context)
      if (asked.kind === 'fault') return showFault(asked)
      if (!context.session) return signedOut(asked)
      if (!(await isOfThisSession(context, asked))) return askFirst(context, asked)
      await endSessionHere(context)
      return signedOut(asked)
    },
  }),
)

export const confirmSignOut = formAction({
  path: CONFIRM_PATH,
  access: 'anybody',
  async submit(context) {
    const asked = await readAsked(context)
    if (asked.kind === 'fault') return showFault(asked)
    await endSessionHere(context)
    return signedOut(asked)
  },
})

type Asked = Extract<LogoutRequest, { kind: 'request' }>

const readAsked = ({ dependencies, path }: PageContext): Promise<LogoutRequest> =>
  readLogout(dependencies, new URLSearchParams(queryOf(path)))

/** Reports whether the hint belongs to this session, so that the person has already asked the application. */
async function isOfThisSession({ dependencies, session }: PageContext, { client, hint }: Asked): Promise<boolean> {
  if (!session || !client || !hint) return false
  return hint.sid !== undefined && isSessionOf(dependencies.database, hint.sid, session.id)
}

const signedOut = ({ returnTo }: Asked): Outcome =>
  returnTo === undefined ? redirectTo('/', { notice: say('You are signed out.') }) : redirectTo(returnTo)

function askFirst(context: PageContext, { client, returnTo }: Asked): Outcome {
  const name = html`<strong>${client?.name ?? say('An application')}</strong>`
  return pageContent(
    say('Sign out?'),
    html`
    <p>${sayWith('{application} asks to sign you out of Campus Intranet, and of what you signed in at with it.', {
      application: name,
    })}</p>
    ${buttonForm(context, `${CONFIRM_PATH}?${queryOf(context.path)}`, say('Sign out'), {})}
    <p><a href="/">${say('Stay signed in')}</a></p>`,
    { isNarrow: true, frame: 'bare', leadsToApplication: returnTo !== undefined },
  )
}

const showFault = ({ text }: Extract<LogoutRequest, { kind: 'fault' }>): Outcome =>
  pageContent(
    say('This request is not valid'),
    html`
    <p class="problem">${say(text)}</p>
    <p>${say(
      'You came here from an application that asks to sign you out, and its request has a mistake that only its developers can mend. You have not been signed out here, and you have not been sent back to it.',
    )}</p>`,
    { status: 400, isNarrow: true },
  )
