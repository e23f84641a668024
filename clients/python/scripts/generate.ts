/** Writes the generated half of the Python client, from what the service declares. `npm ci` runs it in a checkout. */
import { writeFile } from 'node:fs/promises'
import { declaredDocument } from '../../../src/resources/api-document.ts'
import { OPERATIONS_FILE, TYPES_FILE } from './files.ts'
import { pythonOf } from './python-of.ts'
import type { Document } from './schema.ts'

const { types, operations } = pythonOf(declaredDocument() as unknown as Document)
await writeFile(TYPES_FILE, types)
await writeFile(OPERATIONS_FILE, operations)
