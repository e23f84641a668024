import { writeFile } from 'node:fs/promises'
import { SETTINGS_FILE, settingsPage } from './settings-page.ts'

/** `npm run settings` writes docs/settings.md anew. */
await writeFile(SETTINGS_FILE, settingsPage())
