import { readFileSync } from 'node:fs'

type ServicePackage = {
  readonly name: string
  readonly productName: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
}

const PACKAGE: ServicePackage = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const COMMAND = Object.keys(PACKAGE.bin ?? {})[0] ?? PACKAGE.name
/** The command name, for names that must not contain hyphens. */
const PREFIX = COMMAND.replaceAll(/\W/g, '_')

export const serviceName = (): string => PACKAGE.name

export const productName = (): string => PACKAGE.productName

export const serviceVersion = (): string => PACKAGE.version

export const commandName = (): string => COMMAND

/** Returns the environment variable of a setting: `settingName('PORT')` is `LIBRARY_PORT` if the command is `library`. */
export const settingName = (name: string): string => `${PREFIX.toUpperCase()}_${name}`

/** Returns the name of a metric: `metricName('streams_open')` is `library_streams_open`. */
export const metricName = (name: string): string => `${PREFIX}_${name}`

/** Returns the name of a setting of database sessions: `sessionSetting('actor')` is `library.actor`. */
export const sessionSetting = (name: string): string => `${PREFIX}.${name}`
