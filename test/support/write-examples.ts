import { mkdir, writeFile } from 'node:fs/promises'
import { EXAMPLES_FILE } from '../../src/pages/reference/examples.ts'
import { withDatabaseServer } from './database-server.ts'
import { recordExamples } from './record-examples.ts'

/** `npm run examples` writes the examples of the reference anew, from a school that is the same every time. */
await mkdir(new URL('.', EXAMPLES_FILE), { recursive: true })
const examples = await withDatabaseServer(recordExamples)
await writeFile(EXAMPLES_FILE, `${JSON.stringify(examples, null, 1)}\n`)
