import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '@campus/engine/base/caught'
import { looksLikeSetting } from './misspelt.ts'
import type { Environment } from './read-settings.ts'
import { SETTINGS } from './settings.ts'

/**
 * Adds to the environment the texts of credential files (systemd's `LoadCredential=`, secrets of a container), which no other
 * program can read, for settings that it lacks. Misspelt names are added without their text, so that they are reported.
 * `others` are the settings of optional parts. Throws if a file cannot be read.
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

/** A container has the folder only with secrets. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
