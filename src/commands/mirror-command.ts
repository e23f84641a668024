import type { Progress } from '../base/progress.ts'
import { print } from '../base/text/printable.ts'
import { declaredRegistry } from '../resources/declared.ts'
import { readOutgoing } from '../webhooks/outgoing.ts'
import type { Dependencies } from './database-command.ts'
import { describeMissing } from './mirror/describe-missing.ts'
import { estimateMirror } from './mirror/estimate.ts'
import { type MirrorOptions, mirror } from './mirror/mirror.ts'

/** What is copied, as it was typed. */
export type MirrorValues = Omit<MirrorOptions, 'url' | 'allowed' | 'progress' | 'onMissing'> & {
  readonly from: string
  readonly isTrial: boolean
}

/**
 * Copies another service, or for a trial says how long that takes. Names the rights that the application lacks on standard error, as
 * soon as they are known. Throws MirrorRefused and SourceRefused.
 */
export async function mirrorForCommand(
  { database, config }: Pick<Dependencies, 'database' | 'config'>,
  { from, isTrial, ...values }: MirrorValues,
  progress: Progress,
): Promise<object> {
  const { allowed } = await readOutgoing(config)
  // Nothing that is sealed is ever copied: no key opens anything here.
  const { resources } = declaredRegistry()
  const onMissing: MirrorOptions['onMissing'] = (missing) => {
    for (const line of describeMissing(missing)) print(line, process.stderr)
  }
  return (isTrial ? estimateMirror : mirror)(database, resources, {
    url: from,
    ...values,
    allowed,
    progress,
    onMissing,
  })
}
