/** Writes the generated parts of the Python client, from what the service declares and from the client for asyncio. `npm ci` runs it in a checkout. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { declaredDocument } from '../../../src/resources/api-document.ts'
import { ASYNC_FOLDER, OPERATIONS_FILE, SYNC_FOLDER, TYPES_FILE } from './files.ts'
import { pythonOf } from './python-of.ts'
import type { Document } from './schema.ts'
import { synchronous } from './synchronous.ts'

const { types, operations } = pythonOf(declaredDocument() as unknown as Document)
await writeFile(TYPES_FILE, types)
await writeFile(OPERATIONS_FILE, operations)

await rm(SYNC_FOLDER, { recursive: true, force: true })
await mkdir(SYNC_FOLDER)
const modules = (await readdir(ASYNC_FOLDER)).filter((name) => name.endsWith('.py') && name !== '__init__.py')
for (const name of modules)
  await writeFile(new URL(name, SYNC_FOLDER), synchronous(await readFile(new URL(name, ASYNC_FOLDER), 'utf8')))
await writeFile(new URL('__init__.py', SYNC_FOLDER), synchronous('"""The client for threads."""\n'))
