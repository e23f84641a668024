import { writeFile } from 'node:fs/promises'
import { campus } from '../../../test/support/campus.ts'
import { withDatabaseServer } from '../../../test/support/database-server.ts'
import { OPERATIONS_FILE, TYPES_FILE } from './files.ts'
import { pythonOf } from './python-of.ts'

/** `npm run generate:python` makes both files anew, from the document that the service really serves. */
await withDatabaseServer(async () => {
  const world = await campus()
  const { json: document } = await world.anonymous.get('/v2/openapi.json')
  await world.close()
  const { types, operations } = pythonOf(document)
  await writeFile(TYPES_FILE, types)
  await writeFile(OPERATIONS_FILE, operations)
})
