import { writeFile } from 'node:fs/promises'
import { COMMANDS_FILE, commandsPage } from './commands-page.ts'

/** `npm run commands` writes docs/commands.md anew. */
await writeFile(COMMANDS_FILE, commandsPage())
