import { integer } from '../rest/declare/fields/columns.ts'

/** A mark: 100 is all that was asked for, and the rest is for what goes beyond it (decisions §9). */
export const mark = (options: Parameters<typeof integer>[0] = {}) => integer({ min: 0, max: 125, ...options })
