import { apiClients } from './api-clients.ts'
import type { Program } from './call.ts'
import { phoneApps } from './phone-apps.ts'
import { staffPrograms } from './staff-programs.ts'
import { studentSites } from './student-sites.ts'

/** Every program whose calls are known. */
export const PROGRAMS: readonly Program[] = [...staffPrograms, ...phoneApps, ...studentSites, ...apiClients]
