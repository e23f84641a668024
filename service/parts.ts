import type { Part } from '@campus/intranet/server/part'
import * as list from './part-list.ts'

/** The optional parts of the service, in the order of their names. */
export const PARTS: readonly Part[] = Object.values(list)
