import { sweep } from '../sweep.ts'
import type { AskPath } from './asker.ts'
import { milliseconds, type ScaleLine } from './lines.ts'

/** Every read that the service offers, beside ten pages of users. Reports those that take longer. */
export async function everyRead(ask: AskPath, log: (text: string) => void): Promise<ScaleLine> {
  const { reads, pageMilliseconds, slow } = await sweep(ask)
  for (const { path, milliseconds: taken, status } of slow) log(`${milliseconds(taken).padStart(10)} ${status} ${path}`)
  return {
    name: `reads of ${reads} that take longer than ten pages of users`,
    ours: String(slow.length),
    reference: `${milliseconds(pageMilliseconds)}, a page of users`,
    measured: String(slow.length),
    aim: '0',
    isReached: slow.length === 0,
  }
}
