import { mkdir, writeFile } from 'node:fs/promises'
import { BODIES_FILE, EXAMPLES_FILE } from '../../src/pages/reference/examples.ts'
import { withDatabaseServer } from './database-server.ts'
import { recordExamples } from './record-examples.ts'

/** `npm run examples` writes the examples of the reference anew, from a school that is the same every time. */
await mkdir(new URL('.', EXAMPLES_FILE), { recursive: true })
const { examples, bodies } = await withDatabaseServer(recordExamples)
await writeFile(EXAMPLES_FILE, `${JSON.stringify(examples, null, 1)}\n`)
await writeFile(BODIES_FILE, `${JSON.stringify(bodies, null, 1)}\n`)
