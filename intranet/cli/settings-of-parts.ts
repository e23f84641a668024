import type { Part } from '../server/part.ts'
import type { PartSettings } from '../settings/read-settings.ts'

export const settingsOfParts = (parts: readonly Part[]): readonly PartSettings[] =>
  parts.flatMap(({ settings }) => settings ?? [])

export const settingNamesOfParts = (parts: readonly Part[]): readonly string[] =>
  settingsOfParts(parts).flatMap(({ declared }) => Object.keys(declared))
