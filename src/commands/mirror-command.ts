import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { estimateMirror } from '../mirror/estimate.ts'
import type { MirrorLimits } from '../mirror/limits.ts'
import { type MirrorOptions, mirror } from '../mirror/mirror.ts'
import type { Progress } from '../progress.ts'
import { resources } from '../resources/index.ts'
import { Sealer } from '../sealer.ts'
import { readOutgoing } from '../webhooks/outgoing.ts'

/** What is copied, as it was typed. */
export type MirrorValues = {
  readonly from: string
  readonly app: string
  readonly secret: string
  readonly scopes?: readonly string[] | undefined
  readonly campusId?: number | undefined
  readonly isWhole: boolean
  readonly limits: Partial<MirrorLimits>
}

/** Nothing that is sealed is ever copied: no key opens anything here. */
const declared = () => resources(new Sealer(Buffer.alloc(32)))

type Dependencies = { readonly database: Database; readonly config: Config }

/** Copies another service. Throws MirrorRefused and SourceRefused. */
export async function mirrorForCommand({ database, config }: Dependencies, values: MirrorValues, progress: Progress) {
  return mirror(database, declared(), await optionsOf(config, values, progress))
}

/** Says how long a copy takes. Throws MirrorRefused and SourceRefused. */
export async function estimateForCommand({ database, config }: Dependencies, values: MirrorValues, progress: Progress) {
  return estimateMirror(database, declared(), await optionsOf(config, values, progress))
}

async function optionsOf(
  config: Config,
  { from, ...values }: MirrorValues,
  progress: Progress,
): Promise<MirrorOptions> {
  const { allowed } = await readOutgoing(config)
  return { url: from, ...values, allowed, progress }
}
