import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '@campus/engine/base/caught'
import { looksLikeSetting } from './misspelt.ts'
import type { Environment } from './read-settings.ts'
import { SETTINGS } from './settings.ts'

/**
 * The environment, and for each setting that it lacks the text of the file that is called so in the folder of credentials, such as
 * systemd's `LoadCredential=` and a container's secrets fill: there no other program reads it. What only looks like a setting is
 * there without its text, to be named. `others` are the settings of optional parts. Throws where a file cannot be read.
 */
export function withCredentials(env: Environment, others: readonly string[] = []): Environment {
  const folder = env.CREDENTIALS_DIRECTORY
  if (!folder) return env
  const found: Record<string, string> = {}
  for (const name of namesIn(folder)) {
    if (env[name]?.trim()) continue
    if (Object.hasOwn(SETTINGS, name) || others.includes(name))
      found[name] = readFileSync(join(folder, name), 'utf8').trim()
    else if (looksLikeSetting(name)) found[name] = ''
  }
  return { ...env, ...found }
}

/** None where the folder is not there: a container has it only with secrets. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
