import { readFile } from 'node:fs/promises'

/** The version of this service, as its package says it. */
export async function serviceVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return String(JSON.parse(text).version)
}
