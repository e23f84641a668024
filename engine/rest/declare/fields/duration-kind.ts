import { bounded } from './bounds.ts'
import { integerKind, type Kind } from './kinds.ts'

const QUARTER_SECONDS = 900
const MAX_QUARTERS = 96

const seconds = bounded(integerKind, { min: 60, max: MAX_QUARTERS * QUARTER_SECONDS, unit: 'seconds' })

/**
 * A length of time of a day at most: written in quarters of an hour, shown in seconds (spec: evaluations 20). What is more than
 * the quarters of a day is read as seconds, so that a record may be sent back as it came.
 */
export const durationKind: Kind<number> = {
  ...seconds,
  schema: { ...seconds.schema, minimum: 1 },
  read(input) {
    const number = integerKind.read(input)
    return seconds.read(number > 0 && number <= MAX_QUARTERS ? number * QUARTER_SECONDS : number)
  },
}
