import type { DeclaredSetting } from '@campus/intranet/settings/settings'
import { ALL_SETTINGS } from '@campus/test/support/all-settings'
import * as v from 'valibot'

export const SETTINGS_FILE = new URL('../docs/settings.md', import.meta.url)

/** docs/settings.md as the settings are declared. */
export const settingsPage = (): string => `# Settings

<!-- \`npm run generate -- settings\` writes this page. -->

Every setting is an environment variable; none is needed. Wrong ones stop the start with a message that names them all; an empty one counts as not set.
With \`CREDENTIALS_DIRECTORY\`, as systemd sets it, a setting that is not a variable is read from the file of its name in that folder. A variable that begins
with \`CAMPUS_\` and is no setting is named on standard error, with the setting that was probably meant. [operating.md](operating.md) says how they work together.

${settingsTable()}
`

function settingsTable(): string {
  const lines = Object.entries(ALL_SETTINGS).map(([name, setting]) => line(name, setting))
  return ['| Variable | Value | Default | Meaning |', '|---|---|---|---|', ...lines].join('\n')
}

function line(name: string, { schema, about, flag, otherwise }: DeclaredSetting): string {
  const variable = flag ? `\`${name}\` (\`${flag.split(' ')[0]}\`)` : `\`${name}\``
  const given = v.getDefault(schema)
  return `| ${[variable, v.getTitle(schema.wrapped), otherwise ?? (given ? `\`${given}\`` : 'none'), about].join(' | ')} |`
}
