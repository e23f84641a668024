import type { Resource } from '../rest/resource.ts'
import type { Sealer } from '../sealer.ts'
import { campus } from './campus.ts'
import { campusUsers } from './campus_users.ts'
import { cursus } from './cursus.ts'
import { cursusUsers } from './cursus_users.ts'
import { endpoints } from './endpoints.ts'
import { languages } from './languages.ts'
import { languagesUsers } from './languages_users.ts'
import { locations } from './locations.ts'
import { cursusUsersSkills, skills } from './skills.ts'
import { users } from './users.ts'

/** The API's table of contents. */
export const resources = (sealer: Sealer): readonly Resource[] => [
  campus,
  languages,
  cursus,
  skills,
  users,
  campusUsers,
  cursusUsers,
  cursusUsersSkills,
  languagesUsers,
  locations,
  endpoints(sealer),
]
