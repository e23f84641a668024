import { writeFile } from 'node:fs/promises'
import { declaredRegistry } from '../../src/resources/declared.ts'
import { ACCESS_FILE } from './access-table.ts'
import { declaredAccess } from './declared-access.ts'

/** `npm run access` writes the table of who may do what. */
await writeFile(ACCESS_FILE, declaredAccess(declaredRegistry()))
