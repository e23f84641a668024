import { suggestion } from '../nearest.ts'
import type { Environment } from './read-settings.ts'
import { SETTINGS } from './settings.ts'

const PREFIX = 'CAMPUS_'
/** Of the programs that test the service. */
const OF_TESTS = 'CAMPUS_TEST_'

/** Whether a variable is meant for this service, by its name. */
export const looksLikeSetting = (name: string): boolean => name.startsWith(PREFIX) && !name.startsWith(OF_TESTS)

/** A sentence for each variable that looks like a setting and is none, so that a slip is not taken for a choice. */
export const misspelt = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((name) => looksLikeSetting(name) && !Object.hasOwn(SETTINGS, name))
    .map((name) => `${name} is no setting, so it changes nothing.${suggestion(name, Object.keys(SETTINGS))}`)
