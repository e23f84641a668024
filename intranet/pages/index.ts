import { agenda } from './agenda/agenda.ts'
import { AUTHORISATION_PAGES } from './applications/authorised.ts'
import { consentPreview } from './applications/consent-preview.ts'
import { editing, registration } from './applications/create.ts'
import { deletion } from './applications/delete.ts'
import { myApplications, publicList } from './applications/list.ts'
import { secretRenewal } from './applications/secret.ts'
import { SESSION_PAGES } from './applications/sessions.ts'
import { application } from './applications/show.ts'
import { WEBHOOK_PAGES } from './applications/webhooks.ts'
import { authorizePages } from './authorize.ts'
import { home } from './home/home.ts'
import { languagePage } from './language-choice.ts'
import { NOTIFICATION_PAGES } from './notifications/notifications.ts'
import type { PageRoute } from './page.ts'
import { profilePicture } from './profile/picture.ts'
import { booking } from './school/booking.ts'
import { campus } from './school/campus.ts'
import { campuses } from './school/campuses.ts'
import { changes } from './school/changes.ts'
import { COALITION_PAGES } from './school/coalitions.ts'
import { curriculum } from './school/curriculum.ts'
import { evaluation } from './school/evaluation.ts'
import { evaluations } from './school/evaluations.ts'
import { event } from './school/event.ts'
import { events } from './school/events.ts'
import { people } from './school/people.ts'
import { person } from './school/person.ts'
import { project } from './school/project.ts'
import { projects } from './school/projects.ts'
import { team } from './school/team.ts'
import { WALL_PAGES } from './school/wall.ts'
import { SEARCH_PAGES } from './search/search.ts'
import { EMAIL_PAGES } from './security/email.ts'
import { enrolPage } from './security/enrol.ts'
import { PASSKEY_PAGES } from './security/passkeys.ts'
import { changePassword } from './security/password.ts'
import { SECOND_FACTOR_PAGES } from './security/second-factor.ts'
import { endOneSession, endOtherSessions, security } from './security/security.ts'
import { forgotPassword, resetPasswordPage } from './sign-in/reset-password.ts'
import { SCHOOL_PAGES } from './sign-in/school.ts'
import { SECOND_FACTOR_STEP_PAGES } from './sign-in/second-factor.ts'
import { PASSKEY_SIGN_IN_PAGES, signIn } from './sign-in/sign-in.ts'
import { signOut } from './sign-in/sign-out.ts'
import { welcomePage } from './sign-in/welcome.ts'
import { confirmSignOut, signOutRequest } from './sign-out-request.ts'
import { STAFF_APPLICATION_PAGES } from './staff/applications.ts'
import { log, logExport } from './staff/audit/list.ts'
import { CAMPUS_DASHBOARD } from './staff/campus.ts'
import { doctor } from './staff/doctor.ts'
import { DELIVERY_PAGES } from './staff/endpoints/delivery.ts'
import { ENDPOINT_PAGE } from './staff/endpoints/endpoint.ts'
import { endpointList } from './staff/endpoints/list.ts'
import { ENDPOINT_FORMS } from './staff/endpoints/write.ts'
import { IMPORT_PAGES } from './staff/import/import.ts'
import { jobs } from './staff/jobs.ts'
import { newUser } from './staff/new-user.ts'
import { recordsExport, recordsList, resourcesPage } from './staff/records/list.ts'
import { recordDeletion, recordPage } from './staff/records/record.ts'
import { several } from './staff/records/several.ts'
import { suggestions } from './staff/records/suggest.ts'
import { WRITING_PAGES } from './staff/records/write.ts'
import { roles } from './staff/roles.ts'
import { campusSeats } from './staff/seats.ts'
import { secondFactorRequirements } from './staff/second-factor.ts'
import { STAFF_USER_PAGES } from './staff/user.ts'
import { usersPage } from './staff/users.ts'
import { timeZonePage } from './time-zone.ts'

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
  ...people,
  ...person,
  ...campuses,
  ...campus,
  ...WALL_PAGES,
  ...COALITION_PAGES,
  ...curriculum,
  ...projects,
  ...project,
  ...events,
  ...event,
  ...evaluations,
  ...booking,
  ...evaluation,
  ...team,
  ...changes,

  ...myApplications,
  ...registration,
  ...application,
  ...editing,
  ...consentPreview,
  ...secretRenewal,
  ...SESSION_PAGES,
  ...WEBHOOK_PAGES,
  ...deletion,
  ...publicList,
  ...AUTHORISATION_PAGES,

  ...STAFF_APPLICATION_PAGES,
  ...usersPage,
  ...newUser,
  ...STAFF_USER_PAGES,
  ...endpointList,
  ...ENDPOINT_FORMS,
  ...ENDPOINT_PAGE,
  ...DELIVERY_PAGES,
  ...log,
  ...logExport,
  ...jobs,
  ...doctor,
  ...resourcesPage,
  ...recordsList,
  ...recordsExport,
  ...suggestions,
  ...several,
  ...WRITING_PAGES,
  ...recordPage,
  ...recordDeletion,
  ...campusSeats,
  ...IMPORT_PAGES,
  ...roles,
  ...secondFactorRequirements,
  ...CAMPUS_DASHBOARD,
]
