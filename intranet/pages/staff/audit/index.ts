import { logExport } from './export.ts'
import { log } from './list.ts'

/** The school's audit log. */
export const AUDIT_PAGES = [...log, ...logExport]
