import type { Database } from '../database/database.ts'
import { estimateMirror } from '../mirror/estimate.ts'
import { mirror } from '../mirror/mirror.ts'
import type { Progress } from '../progress.ts'
import { resources } from '../resources/index.ts'
import { Sealer } from '../sealer.ts'

/** What is copied, as it was typed. */
export type MirrorValues = {
  readonly from: string
  readonly app: string
  readonly secret: string
  readonly scopes?: readonly string[] | undefined
  readonly campusId?: number | undefined
  readonly isWhole: boolean
}

/** Nothing that is sealed is ever copied: no key opens anything here. */
const declared = () => resources(new Sealer(Buffer.alloc(32)))

/** Copies another service. Throws MirrorRefused and SourceRefused. */
export async function mirrorForCommand(database: Database, { from, ...values }: MirrorValues, progress: Progress) {
  return mirror(database, declared(), { url: from, ...values, progress })
}

/** Says how long a copy takes. Throws MirrorRefused and SourceRefused. */
export async function estimateForCommand(database: Database, { from, ...values }: MirrorValues, progress: Progress) {
  return estimateMirror(database, declared(), { url: from, ...values, progress })
}
