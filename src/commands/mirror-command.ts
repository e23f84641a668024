import type { Config } from '../base/config.ts'
import type { Progress } from '../base/progress.ts'
import type { Database } from '../database/database.ts'
import { declaredRegistry } from '../resources/declared.ts'
import { readOutgoing } from '../webhooks/outgoing.ts'
import { estimateMirror } from './mirror/estimate.ts'
import type { MirrorLimits } from './mirror/limits.ts'
import { mirror } from './mirror/mirror.ts'

/** What is copied, as it was typed. */
export type MirrorValues = {
  readonly from: string
  readonly app: string
  readonly secret: string
  readonly scopes?: readonly string[] | undefined
  readonly campusId?: number | undefined
  readonly isWhole: boolean
  readonly isTrial: boolean
  readonly limits: Partial<MirrorLimits>
}

/** Nothing that is sealed is ever copied: no key opens anything here. */
const declared = () => declaredRegistry().resources

type Dependencies = { readonly database: Database; readonly config: Config }

/** Copies another service, or for a trial says how long that takes. Throws MirrorRefused and SourceRefused. */
export async function mirrorForCommand(
  { database, config }: Dependencies,
  { from, isTrial, ...values }: MirrorValues,
  progress: Progress,
): Promise<object> {
  const { allowed } = await readOutgoing(config)
  return (isTrial ? estimateMirror : mirror)(database, declared(), { url: from, ...values, allowed, progress })
}
