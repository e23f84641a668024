import type { Recorded } from '@campus/reference/examples'
import { madeOnce } from './databases.ts'
import { recordExamples } from './record-examples.ts'

/** Returns the examples of the reference as the sources make them now, recorded once in a run. */
export const recordedExamples = (): Promise<Recorded> => madeOnce('recorded-examples.json', recordExamples)
