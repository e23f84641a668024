import { authorizePages } from './authorize.ts'
import { home } from './home.ts'
import type { PageRoute } from './page.ts'
import { changePassword } from './security/password.ts'
import { endOneSession, endOtherSessions, security } from './security/security.ts'
import { resetPasswordPage } from './sign-in/reset-password.ts'
import { signIn } from './sign-in/sign-in.ts'
import { signOut } from './sign-in/sign-out.ts'

/** The table of contents of the pages. */
export const PAGES: readonly PageRoute[] = [
  ...home,

  ...signIn,
  ...signOut,
  ...resetPasswordPage,
  ...authorizePages,

  ...security,
  ...changePassword,
  ...endOneSession,
  ...endOtherSessions,
]
