import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { untilBlockedBy } from '@campus/test/support/blocked-connections'
import { campus, type World } from '@campus/test/support/campus'
import type { TestDatabase } from '@campus/test/support/database'
import { openProject } from '@campus/test/support/projects'
import pg from 'pg'
import { enrol } from '../../school/domain/projects/projects-users.ts'

let world: World
/** Another transaction. */
let other: pg.Client
before(async () => {
  world = await campus()
  other = new pg.Client({ connectionString: (world.database as TestDatabase).url })
  await other.connect()
})
afterEach(() => other.query('rollback'))
after(async () => {
  await other.end()
  await world.close()
})

it('a change of a login waits for those who refer to the account, and holds nothing that they wait for', async () => {
  const id = await world.build.user()
  await other.query('begin')
  await other.query("insert into closes (user_id, kind, reason, state) values ($1, 'other', 'Away', 'unclose')", [id])
  const changed = world.director.patch(`/v2/users/${id}`, { user: { login: 'renamed' } })
  await untilBlockedBy(other)
  await other.query('select from users where id = $1 for no key update nowait', [id])
  await other.query('commit')
  assert.equal((await changed).status, 204)
})

it('a change of another field does not wait for them', async () => {
  const id = await world.build.user()
  await other.query('begin')
  await other.query("insert into closes (user_id, kind, reason, state) values ($1, 'other', 'Away', 'unclose')", [id])
  assert.equal((await world.director.patch(`/v2/users/${id}`, { user: { phone: '+33 1' } })).status, 204)
  await other.query('commit')
})

it('whoever is enrolled while their former enrolment is being deleted is enrolled anew', async () => {
  const [user, { project }] = [await world.build.user(), await openProject(world)]
  const former = await world.build.record('projects_users', { user_id: user, project_id: project })
  await other.query('begin')
  await other.query('delete from projects_users where id = $1', [former])
  const enrolled = world.database.transaction((tx) => enrol(tx, user, project, world.clock.now()))
  enrolled.catch(() => {})
  await untilBlockedBy(other)
  await other.query('commit')
  const id = await enrolled
  const found = await world.database.rows('select id from projects_users where user_id = $1', [user])
  assert.deepEqual(found, [[String(id)]])
})
