import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Reads a password from standard input, without the end of its line. */
export async function readPassword(input: Readable): Promise<string> {
  return (await text(input)).replace(/\r?\n$/, '')
}
