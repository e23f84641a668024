import type { PageRoute } from '../../page.ts'
import { sender } from './sender.ts'
import { tokenForConsole } from './token.ts'

/** What the console of the reference asks for while somebody is signed in. */
export const CONSOLE_PAGES: readonly PageRoute[] = [...sender, ...tokenForConsole]
