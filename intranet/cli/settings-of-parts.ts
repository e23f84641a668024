import type { Part } from '../server/part.ts'
import type { PartSettings } from '../settings/read-settings.ts'

/** The settings of optional parts. */
export const settingsOfParts = (parts: readonly Part[]): readonly PartSettings[] =>
  parts.flatMap(({ settings }) => settings ?? [])

/** The names of the settings of optional parts. */
export const settingNamesOfParts = (parts: readonly Part[]): readonly string[] =>
  settingsOfParts(parts).flatMap(({ declared }) => Object.keys(declared))
