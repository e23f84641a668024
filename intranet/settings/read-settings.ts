import * as v from 'valibot'
import { RULES } from './rules.ts'
import { SETTINGS, type SettingName, type Settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

type Schemas = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]['schema'] }

const SCHEMA = v.object(
  // biome-ignore lint/plugin: `Object.fromEntries` gives the names that it is given
  Object.fromEntries(Object.entries(SETTINGS).map(([name, { schema }]) => [name, schema])) as Schemas,
)

/**
 * Reads every setting; a variable that is empty or blank counts as not set. Gives all that is wrong, one text for each
 * variable, which begins with its name. The settings are to be used only where nothing is.
 */
export function readSettings(env: Environment): { readonly settings: Settings; readonly faults: readonly string[] } {
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim()))
  const result = v.safeParse(SCHEMA, given)
  // biome-ignore lint/plugin: a rule reads only settings that are as their schemas say
  const settings = result.output as Settings
  const faults = new Map<string, string>(result.issues?.map((issue) => [v.getDotPath(issue) ?? '', issue.message]))
  for (const { names, validate } of RULES) {
    if (names.some((name) => faults.has(name))) continue // One message for each variable.
    for (const [name, fault] of Object.entries(validate(settings))) faults.set(name, fault)
  }
  return { settings, faults: [...faults].map(([name, fault]) => `${name} ${fault}`) }
}
