import { writeFile } from 'node:fs/promises'
import { withDatabaseServer } from './database-server.ts'
import { SCHEMA_FILE, tableTypes } from './table-types.ts'

/** `npm run tables` writes the types of the tables anew. */
await writeFile(SCHEMA_FILE, await withDatabaseServer(tableTypes))
