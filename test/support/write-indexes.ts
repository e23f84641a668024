import { writeFile } from 'node:fs/promises'
import { testDatabase } from './database.ts'
import { withDatabaseServer } from './database-server.ts'
import { LIST_INDEXES_FILE, listIndexesText } from './list-indexes.ts'

/** `npm run indexes` writes the indexes that lists need anew. */
const text = await withDatabaseServer(async () => {
  const database = await testDatabase()
  return listIndexesText(database).finally(() => database.close())
})
await writeFile(LIST_INDEXES_FILE, text)
