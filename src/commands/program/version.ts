import { readFileSync } from 'node:fs'

/** The version of the package that this is, whether it runs from its sources or as it was built. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return version
}
