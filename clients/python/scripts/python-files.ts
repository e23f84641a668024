import { readdir, readFile } from 'node:fs/promises'
import { declaredDocument } from '@campus/intranet/school/resources/api-document'
import { ASYNC_FOLDER, OPERATIONS_FILE, PROJECT_FOLDER, SYNC_FOLDER, TYPES_FILE } from './files.ts'
import { pythonOf } from './python-of.ts'
import type { Document } from './schema.ts'
import { synchronous } from './synchronous.ts'

/**
 * Returns the generated parts of the Python client, made from what the service declares and from the client for asyncio, by
 * their paths in the project. `prefix` is put before each path.
 */
export async function pythonFiles(prefix = ''): Promise<Readonly<Record<string, string>>> {
  const { types, operations } = pythonOf(declaredDocument() as unknown as Document)
  const modules = new Map([
    [OPERATIONS_FILE.href, operations],
    [new URL('__init__.py', SYNC_FOLDER).href, synchronous('"""The client for threads."""\n')],
    [TYPES_FILE.href, types],
  ])
  const names = (await readdir(ASYNC_FOLDER)).filter((name) => name.endsWith('.py') && name !== '__init__.py')
  for (const name of new Set([...names, 'operations.py'])) {
    const file = new URL(name, ASYNC_FOLDER)
    const text = modules.get(file.href) ?? (await readFile(file, 'utf8'))
    modules.set(new URL(name, SYNC_FOLDER).href, synchronous(text))
  }
  return Object.fromEntries([...modules].map(([href, text]) => [prefix + href.slice(PROJECT_FOLDER.href.length), text]))
}
