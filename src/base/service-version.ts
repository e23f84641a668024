import { readFileSync } from 'node:fs'

/** The version of this service, as its package says it, whether it runs from its sources or as it was built. */
export function serviceVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return version
}
