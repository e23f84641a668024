import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { makeFirstKeys } from '@campus/intranet/oauth/openid/signing-keys'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { outcomeOf } from '../support/run-campus.ts'
import { commandsUnder, shellIn, type Type } from './typing.ts'

describe('docs/openid.md, followed to the letter', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let type: Type
  before(async () => {
    database = await testDatabase()
    folder = await temporaryFolder()
    type = await shellIn(join(folder.path, 'shell'))
  })
  after(async () => {
    await database?.close()
    await folder?.remove()
  })

  it('For operators: all keys end, once', async () => {
    const making = { sealer: new Sealer(Buffer.alloc(32, 7)), now: new Date() }
    await database.transaction((tx) => makeFirstKeys(tx, making))
    const [end = '', ...more] = await commandsUnder('openid.md', 'For operators')
    assert.deepEqual(more, [])
    const typed = () => outcomeOf(type(end, { CAMPUS_DATA: folder.path, DATABASE_URL: database.url }))
    assert.equal((await typed()).stdout, 'Ended 2 keys.\n')
    assert.deepEqual(await database.rows('select id from signing_keys'), [])
    assert.equal((await typed()).stdout, 'There were no keys.\n')
    assert.deepEqual(await database.rows('select kind from audit_events'), [['signing_keys_ended']])
  })
})
