import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { type Builder, builderOf } from '../support/row-builder.ts'
import { outcomeOf } from '../support/run-campus.ts'
import { commandsUnder, shellIn, type Type } from './typing.ts'

describe('docs/passkeys.md, followed to the letter', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let type: Type
  let build: Builder
  let userId: number
  before(async () => {
    database = await testDatabase()
    build = builderOf(database)
    const campusId = await build.campus({ name: 'Lyon' })
    userId = await build.user({ login: 'ada' })
    await build.record('campus_users', { user_id: userId, campus_id: campusId, is_primary: true })
    folder = await temporaryFolder()
    type = await shellIn(join(folder.path, 'shell'))
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  const typed = (line: string) => outcomeOf(type(line, { CAMPUS_DATA: folder.path, DATABASE_URL: database.url }))
  const required = () =>
    database.rows(
      `select coalesce(c.name, r.name) from second_factor_requirements q
       left join campus c on c.id = q.campus_id left join roles r on r.id = q.role_id order by q.id`,
    )
  const audited = async () => (await database.rows('select kind from audit_events order by id')).flat()

  it('Requiring a second factor: of a campus and of a role, and no longer', async () => {
    const [list = '', ofCampus = '', ofRole = '', release = '', ...more] = await commandsUnder(
      'passkeys.md',
      'Requiring a second factor',
    )
    assert.deepEqual(more, [])
    assert.match((await typed(list)).stdout, /^campus +1 +Lyon +by choice +1$/m)
    const campus = await typed(ofCampus)
    assert.equal(
      campus.stdout,
      'A second factor is required of the people of Lyon; 1 of them have none.\n',
      campus.stderr,
    )
    const role = await typed(ofRole)
    assert.match(role.stdout, /of the people of Advanced Staff; 0 of them have none/, role.stderr)
    assert.deepEqual(await required(), [['Lyon'], ['Advanced Staff']])
    assert.match((await typed(list)).stdout, /^campus +1 +Lyon +required +1$/m)
    assert.match((await typed(release)).stdout, /no longer required of the people of Lyon/)
    assert.deepEqual(await required(), [['Advanced Staff']])
    assert.deepEqual(await audited(), [
      ...['second_factor_required', 'second_factor_required', 'second_factor_not_required'],
    ])
  })

  it('refuses what names no campus and no role, or both', async () => {
    for (const [line, text] of [
      ['campus second-factor require', /Name a campus or a role/],
      ['campus second-factor require --campus 1 --role Basic', /Name a campus or a role/],
      ['campus second-factor require --campus 99', /no such campus/],
      ['campus second-factor require --role Nobody', /no such role/],
    ] as const) {
      const { code, stderr } = await typed(line)
      assert.match(stderr, text)
      assert.notEqual(code, 0)
    }
    assert.deepEqual(await required(), [['Advanced Staff']])
  })

  it('a lost second factor is removed, with passkeys and codes', async () => {
    const key = { credential_id: Buffer.alloc(16), public_key: Buffer.alloc(16), counter: 0, transports: '{}' }
    const flags = { backup_eligible: false, backed_up: false, created_at: new Date() }
    await build.record('passkeys', { user_id: userId, name: 'Phone', ...key, ...flags })
    await database.rows("insert into recovery_codes (user_id, digest) values ($1, 'x')", [userId])
    const { stdout, stderr } = await typed('campus user remove-second-factor ada')
    assert.equal(stdout, 'Removed the second factor of ada.\n', stderr)
    for (const table of ['passkeys', 'recovery_codes'])
      assert.deepEqual(await database.rows(`select 1 from ${table}`), [])
    assert.equal((await audited()).at(-1), 'second_factor_disabled')
    const again = await typed('campus user remove-second-factor nobody')
    assert.notEqual(again.code, 0)
  })
})
