import * as v from 'valibot'
import { ENGLISH, type Language } from './languages.ts'
import { RULES } from './rules.ts'
import { type DeclaredSetting, SETTINGS, type Settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

type Declared = Readonly<Record<string, DeclaredSetting>>

/** Settings of an optional part. */
export type PartSettings = {
  readonly declared: Declared
  /** Returns the errors of the variables together, by the variable to change. `env` has no blank variables. */
  readonly validate: (env: Environment) => Readonly<Record<string, string>>
}

/** Settings and languages that an optional part adds. */
export type PartOptions = { readonly settings?: PartSettings; readonly languages?: readonly Language[] }

type Schemas<D extends Declared> = { readonly [Name in keyof D]: D[Name]['schema'] }

/** Returns the schema of the declared variables. */
export const schemaOf = <D extends Declared>(declared: D) =>
  v.object(
    // biome-ignore lint/plugin: `Object.fromEntries` gives the names that it is given
    Object.fromEntries(Object.entries(declared).map(([name, { schema }]) => [name, schema])) as Schemas<D>,
  )

const SCHEMA = schemaOf(SETTINGS)

type Read = {
  readonly settings: Settings
  /** Languages of the service. */
  readonly languages: readonly Language[]
  /** Variables of optional parts, unparsed. */
  readonly ofParts: Environment
  readonly faults: readonly string[]
}

/**
 * Reads every setting. An empty or blank variable counts as not set. Returns one fault per invalid variable, which
 * begins with its name. Use the settings only if there are no faults.
 */
export function readSettings(env: Environment, parts: readonly PartOptions[]): Read {
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim()))
  const result = v.safeParse(SCHEMA, given)
  // biome-ignore lint/plugin: a rule reads only settings that are as their schemas say
  const settings = result.output as Settings
  const languages = [ENGLISH, ...parts.flatMap((part) => part.languages ?? [])]
  const faults = new Map<string, string>(result.issues?.map((issue) => [v.getDotPath(issue) ?? '', issue.message]))
  for (const { names, validate } of RULES) {
    if (names.some((name) => faults.has(name))) continue // One message for each variable.
    for (const [name, fault] of Object.entries(validate(settings, languages))) faults.set(name, fault)
  }
  const ofParts: Record<string, string | undefined> = {}
  for (const { declared, validate } of parts.flatMap((part) => part.settings ?? [])) {
    for (const name of Object.keys(declared)) if (given[name] !== undefined) ofParts[name] = given[name]
    const { issues = [] } = v.safeParse(schemaOf(declared), given)
    for (const issue of issues) faults.set(v.getDotPath(issue) ?? '', issue.message)
    for (const [name, fault] of Object.entries(validate(given))) if (!faults.has(name)) faults.set(name, fault)
  }
  return { settings, languages, ofParts, faults: [...faults].map(([name, fault]) => `${name} ${fault}`) }
}
