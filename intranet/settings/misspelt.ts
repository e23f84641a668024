import { inEnglish, message } from '@campus/engine/base/languages/say'
import { suggesting } from '@campus/engine/base/text/nearest'
import type { Environment } from './read-settings.ts'
import { SETTINGS } from './settings.ts'

const PREFIX = 'CAMPUS_'
/** Prefix of variables for tests. */
const OF_TESTS = 'CAMPUS_TEST_'

/** Whether a variable is meant for this service, by its name. */
export const looksLikeSetting = (name: string): boolean => name.startsWith(PREFIX) && !name.startsWith(OF_TESTS)

/**
 * A message for each unknown variable that resembles a setting, so that a typing error is noticed. `others` are the settings of optional
 * parts.
 */
export const misspelt = (env: Environment, others: readonly string[] = []): readonly string[] =>
  Object.keys(env)
    .filter((name) => looksLikeSetting(name) && !Object.hasOwn(SETTINGS, name) && !others.includes(name))
    .map((name) =>
      inEnglish(
        suggesting(message('{name} is no setting, so it changes nothing.', { name }), name, [
          ...Object.keys(SETTINGS),
          ...others,
        ]),
      ),
    )
