import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { forgetDeliveries } from '@campus/test/support/forget-deliveries'
import { attachSecrets } from '../../webhooks/attach-secrets.ts'
import { type Sending, sending } from './sending.ts'

/** More changes than one read of the feed returns. */
const MANY = 1_200
/** More rows of one statement are one change of the table, elsewhere. */
const MORE_THAN_ARE_CAPTURED = 10_001

describe('calls to campuses', () => {
  let world: Sending
  before(async () => {
    world = await sending()
  })
  after(() => world.close())
  beforeEach(async () => {
    await world.fanOut()
    await forgetDeliveries(world.database)
  })

  /** A call of the function deletes a batch. */
  async function purgeChangeLog() {
    while (Number((await world.database.rows('select purge_change_log()'))[0]?.[0]) > 0);
  }

  const made = async () => {
    await world.fanOut()
    return (await world.rows()).map(({ event, login, record }) => [event, login, record.login ?? null])
  }
  const rename = (id: number, login: string) =>
    world.database.rows('update users set login = $2 where id = $1', [id, login])

  it('go to the login that the campus knows, however many changes wait to be called about', async () => {
    const id = await world.user('first')
    await rename(id, 'second')
    await world.database.rows(
      "insert into closes (user_id, kind, reason, state) values ($1, 'other', 'Away', 'close')",
      [id],
    )
    await rename(id, 'third')
    await world.database.rows('update campus_users set is_primary = not is_primary where user_id = $1', [id])
    await rename(id, 'fourth')
    assert.deepEqual((await made()).slice(1), [
      ['updated', 'first', 'second'],
      ['closed', 'second', null],
      ['updated', 'second', 'third'],
      ['updated', 'third', 'third'],
      ['updated', 'third', 'fourth'],
    ])
  })

  it('are one for a user whom a transaction makes, also where its changes are not read at once', async () => {
    await world.database.transaction(async (tx) => {
      await tx.rows(
        `insert into users (login, email, first_name, last_name, kind)
         select 'many' || n, 'many' || n || '@lyon.test', 'M', 'M', 'student' from generate_series(1, $1::int) n`,
        [MANY],
      )
      await tx.rows("insert into campus_users (user_id, campus_id) select id, $1 from users where login like 'many%'", [
        world.campus,
      ])
    })
    const calls = await made()
    assert.equal(calls.length, MANY)
    assert.ok(calls.every(([event]) => event === 'created'))
  })

  it('leave out no user of a statement that changes very many', async () => {
    await world.database.rows(
      `insert into users (login, email, first_name, last_name, kind)
       select 'crowd' || n, 'crowd' || n || '@lyon.test', 'C', 'C', 'student' from generate_series(1, $1::int) n`,
      [MORE_THAN_ARE_CAPTURED],
    )
    await world.database.rows(
      "insert into campus_users (user_id, campus_id) select id, $1 from users where login like 'crowd%'",
      [world.campus],
    )
    await world.fanOut()
    await forgetDeliveries(world.database)
    await world.database.rows("update users set status = 'moved' where login like 'crowd%'")
    assert.equal((await made()).length, MORE_THAN_ARE_CAPTURED)
  })

  it('leave no name and no secret behind where they are made of', async () => {
    const nowhere = await world.build.user({ login: 'nowhere' })
    const change = (id: number) =>
      world.database.transaction(async (tx) => {
        await attachSecrets(tx, world.sealing, { userId: id, password: 'canary', meta: null, now: world.now() })
        await tx.rows('update users set revision = revision + 1 where id = $1', [id])
      })
    await change(await world.user('somewhere'))
    await change(nowhere)
    await world.fanOut()
    await purgeChangeLog()
    for (const statement of [
      'select count(*) from sealed_secrets',
      'select count(*) from change_log',
      'select count(*) from feed where carried is not null or former is not null',
    ])
      assert.deepEqual(await world.database.rows(statement), [['0']], statement)
  })

  it('are made of what a database had not copied yet when it was restored elsewhere', async () => {
    const id = await world.user('restored')
    await forgetDeliveries(world.database)
    await purgeChangeLog()
    await world.database.rows('update users set revision = revision + 1 where id = $1', [id])
    await world.database.rows("update feed_relay set history = '1:00000001'")
    assert.deepEqual(await made(), [['updated', 'restored', 'restored']])
    assert.deepEqual(await made(), [['updated', 'restored', 'restored']], 'once')
  })
})
