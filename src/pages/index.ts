import { home } from './home.ts'
import type { PageRoute } from './page.ts'
import { signIn } from './sign-in/sign-in.ts'
import { signOut } from './sign-in/sign-out.ts'

/** The table of contents of the pages. */
export const PAGES: readonly PageRoute[] = [...home, ...signIn, ...signOut]
