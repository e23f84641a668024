import { readFileSync } from 'node:fs'

/** The package of this service, whether it runs from its sources or as it was built. */
function servicePackage(): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
}

export const serviceName = (): string => servicePackage().name

export const serviceVersion = (): string => servicePackage().version
