import { bounded } from './bounds.ts'
import { integerKind, type Kind } from './kinds.ts'

const QUARTER_SECONDS = 900
const MAX_QUARTERS = 96

const seconds = bounded(integerKind, { min: 60, max: MAX_QUARTERS * QUARTER_SECONDS, unit: 'seconds' })

/**
 * A duration of at most a day, written in quarters of an hour and shown in seconds (spec: evaluations 20). A number
 * above 96 is read as seconds, so that a record can be sent back.
 */
export const durationKind: Kind<number> = {
  ...seconds,
  schema: { ...seconds.schema, minimum: 1 },
  read(input) {
    const number = integerKind.read(input)
    return seconds.read(number > 0 && number <= MAX_QUARTERS ? number * QUARTER_SECONDS : number)
  },
}
