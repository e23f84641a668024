import { bounded } from '@campus/engine/rest/declare/fields/bounds'
import { integer } from '@campus/engine/rest/declare/fields/columns'
import { integerKind } from '@campus/engine/rest/declare/fields/kinds'

/** A mark: 100 is all that was asked for, and the rest is for what goes beyond it (spec: writing 19). */
export const mark = (options: Parameters<typeof integer>[0] = {}) => integer({ ...MARKS, ...options })

const MARKS = { min: 0, max: 125 } as const

/** The same where no column holds it. */
export const markKind = bounded(integerKind, MARKS)
