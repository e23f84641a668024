import { settingsOfParts } from '@campus/intranet/cli/settings-of-parts'
import { type DeclaredSetting, SETTINGS } from '@campus/intranet/settings/settings'
import { PARTS } from '@campus/service/parts'

/** Every setting, with those of optional parts at the end. */
export const ALL_SETTINGS: Readonly<Record<string, DeclaredSetting>> = Object.assign(
  {},
  SETTINGS,
  ...settingsOfParts(PARTS).map(({ declared }) => declared),
)
