import { writeFile } from 'node:fs/promises'
import { campus } from '../../test/support/campus.ts'
import { withDatabaseServer } from '../../test/support/database-server.ts'
import { SCHEMA_FILE } from './schema-file.ts'
import { typesOf } from './types-of.ts'

/** `npm run generate -w client` makes the types anew, from the document that the service really serves. */
await withDatabaseServer(async () => {
  const world = await campus()
  const { json: document } = await world.anonymous.get('/v2/openapi.json')
  await world.close()
  await writeFile(SCHEMA_FILE, await typesOf(document))
})
