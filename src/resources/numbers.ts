import { bounded } from '../rest/declare/fields/bounds.ts'
import { integer } from '../rest/declare/fields/columns.ts'
import { integerKind } from '../rest/declare/fields/kinds.ts'

/** A mark: 100 is all that was asked for, and the rest is for what goes beyond it (spec: writing 19). */
export const mark = (options: Parameters<typeof integer>[0] = {}) => integer({ ...MARKS, ...options })

const MARKS = { min: 0, max: 125 } as const

/** The same where no column holds it. */
export const markKind = bounded(integerKind, MARKS)
