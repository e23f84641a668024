import type { Progress } from '@campus/engine/base/progress'
import { print } from '@campus/engine/base/text/printable'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import type { Dependencies } from '@campus/intranet/server/database-command'
import { readOutgoing } from '@campus/intranet/webhooks/outgoing'
import { describeMissing } from './describe-missing.ts'
import { estimateMirror } from './estimate.ts'
import { type MirrorOptions, mirror } from './mirror.ts'

export type MirrorValues = Omit<MirrorOptions, 'url' | 'allowed' | 'progress' | 'onMissing'> & {
  readonly from: string
  readonly isTrial: boolean
}

/** Copies another service, or estimates the time for a trial. Reports missing rights on standard error as soon as they are known. */
export async function mirrorForCommand(
  { database, config }: Pick<Dependencies, 'database' | 'config'>,
  { from, isTrial, ...values }: MirrorValues,
  progress: Progress,
): Promise<object> {
  const { allowed } = await readOutgoing(config)
  const { resources } = declaredRegistry()
  const onMissing: MirrorOptions['onMissing'] = (missing) => {
    for (const line of describeMissing(missing)) print(line, process.stderr)
  }
  const options = { url: from, ...values, allowed, progress, onMissing }
  return (isTrial ? estimateMirror : mirror)(database, resources, options)
}
