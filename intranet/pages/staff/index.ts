import type { PageRoute } from '../page.ts'
import { STAFF_APPLICATION_PAGES } from './applications.ts'
import { AUDIT_PAGES } from './audit/index.ts'
import { CAMPUS_DASHBOARD } from './campus.ts'
import { doctor } from './doctor.ts'
import { ENDPOINT_PAGES } from './endpoints/index.ts'
import { IMPORT_PAGES } from './import/import.ts'
import { jobs } from './jobs.ts'
import { newUser } from './new-user.ts'
import { RECORD_PAGES } from './records/index.ts'
import { roles } from './roles.ts'
import { campusSeats } from './seats.ts'
import { secondFactorRequirements } from './second-factor.ts'
import { STAFF_USER_PAGES } from './user.ts'
import { people } from './users.ts'

/** What the people who work for the school do. */
export const STAFF_PAGES: readonly PageRoute[] = [
  ...STAFF_APPLICATION_PAGES,
  ...people,
  ...newUser,
  ...STAFF_USER_PAGES,
  ...ENDPOINT_PAGES,
  ...AUDIT_PAGES,
  ...jobs,
  ...doctor,
  ...RECORD_PAGES,
  ...campusSeats,
  ...IMPORT_PAGES,
  ...roles,
  ...secondFactorRequirements,
  ...CAMPUS_DASHBOARD,
]
