import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** The password that a script writes to standard input; the end of its line does not belong to it. */
export async function readPassword(input: Readable): Promise<string> {
  return (await text(input)).replace(/\r?\n$/, '')
}
