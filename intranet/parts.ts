import * as list from './part-list.ts'
import type { Part } from './server/part.ts'

/** The optional parts of the service, in the order of their names. */
export const PARTS: readonly Part[] = Object.values(list)
