import { writeFile } from 'node:fs/promises'
import { OPERATING_FILE, pageWithSettings } from './settings-table.ts'

/** `npm run settings` writes the table of settings in docs/operating.md anew. */
await writeFile(OPERATING_FILE, await pageWithSettings())
