import { agenda } from './agenda/agenda.ts'
import { APPLICATION_PAGES } from './applications/index.ts'
import { authorizePages } from './authorize.ts'
import { home } from './home/home.ts'
import { languagePage } from './language-choice.ts'
import { NOTIFICATION_PAGES } from './notifications/notifications.ts'
import type { PageRoute } from './page.ts'
import { profilePicture } from './profile/picture.ts'
import { PAGES_OF_SCHOOL } from './school/index.ts'
import { SEARCH_PAGES } from './search/search.ts'
import { EMAIL_PAGES } from './security/email.ts'
import { enrolPage } from './security/enrol.ts'
import { PASSKEY_PAGES } from './security/passkeys.ts'
import { changePassword } from './security/password.ts'
import { SECOND_FACTOR_PAGES } from './security/second-factor.ts'
import { endOneSession, endOtherSessions, security } from './security/security.ts'
import { forgotPassword } from './sign-in/forgot-password.ts'
import { PASSKEY_SIGN_IN_PAGES } from './sign-in/passkey.ts'
import { resetPasswordPage } from './sign-in/reset-password.ts'
import { SCHOOL_PAGES } from './sign-in/school.ts'
import { SECOND_FACTOR_STEP_PAGES } from './sign-in/second-factor.ts'
import { signIn } from './sign-in/sign-in.ts'
import { signOut } from './sign-in/sign-out.ts'
import { welcomePage } from './sign-in/welcome.ts'
import { confirmSignOut, signOutRequest } from './sign-out-request.ts'
import { STAFF_PAGES } from './staff/index.ts'
import { timeZonePage } from './time-zone.ts'

/** The table of contents of the pages. */
export const PAGES: readonly PageRoute[] = [
  ...home,
  ...languagePage,
  ...timeZonePage,

  ...signIn,
  ...signOut,
  ...signOutRequest,
  ...confirmSignOut,
  ...SECOND_FACTOR_STEP_PAGES,
  ...PASSKEY_SIGN_IN_PAGES,
  ...SCHOOL_PAGES,
  ...forgotPassword,
  ...resetPasswordPage,
  ...welcomePage,
  ...authorizePages,

  ...security,
  ...changePassword,
  ...endOneSession,
  ...endOtherSessions,
  ...SECOND_FACTOR_PAGES,
  ...PASSKEY_PAGES,
  ...EMAIL_PAGES,
  ...enrolPage,

  ...profilePicture,
  ...NOTIFICATION_PAGES,
  ...SEARCH_PAGES,

  ...agenda,
  ...PAGES_OF_SCHOOL,

  ...APPLICATION_PAGES,
  ...STAFF_PAGES,
]
