import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SCHEMA_FILE } from '../../client/scripts/schema-file.ts'
import { typesOf } from '../../client/scripts/types-of.ts'
import { campus } from '../support/campus.ts'

test('the client has the types of what the service serves: "npm run generate -w client" makes them anew', async () => {
  const world = await campus()
  const { json: document } = await world.anonymous.get('/v2/openapi.json')
  await world.close()
  assert.ok((await typesOf(document)) === (await readFile(SCHEMA_FILE, 'utf8')), 'the types are out of date')
})
