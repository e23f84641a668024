import type { PageRoute } from '@campus/intranet/pages/page'
import { sender } from './sender.ts'
import { tokenForConsole } from './token.ts'

/** The routes of the reference's console for signed-in users. */
export const CONSOLE_PAGES: readonly PageRoute[] = [...sender, ...tokenForConsole]
