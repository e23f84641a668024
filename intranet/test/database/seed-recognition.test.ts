import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runAmong } from '@campus/engine/rest/read/run'
import { requestContext } from '@campus/engine/rest/request-context'
import { campus, type World } from '@campus/test/support/campus'
import { testEngine } from '@campus/test/support/test-engine'
import { Sealer } from '../../services/sealing/sealer.ts'
import { SERVICE } from '../../webhooks/campus-calls.ts'

const NOW = '2026-03-04T11:17:23.456Z'

describe('what people of the demonstration school are known for', () => {
  let world: World

  before(async () => {
    world = await campus({ seeded: { users: 600, locations: 100 }, now: NOW })
  })
  after(() => world.close())

  const one = async (sql: string) => Number((await world.database.rows(sql))[0]?.[0])
  const none = async (text: string, sql: string) => assert.equal(await one(`select count(*) from ${sql}`), 0, text)

  it('shows in their records, everything in one or another of them', async () => {
    const lists = [
      ...['groups', 'cursus_users', 'projects_users', 'languages_users', 'achievements', 'titles', 'titles_users'],
      ...['partnerships', 'patroned', 'patroning', 'expertises_users', 'roles', 'campus', 'campus_users'],
    ]
    const seen = new Set<string>()
    const { json: users } = await world.staff.get('/v2/users?per_page=100&sort=id')
    for (const { id } of users) {
      const { json } = await world.staff.get(`/v2/users/${id}`)
      for (const name of lists) if (json[name].length > 0) seen.add(name)
    }
    assert.deepEqual(
      lists.filter((name) => !seen.has(name)),
      [],
    )
  })

  it('has been won by what they have done', async () => {
    await none(
      'who validated five projects has built, and nobody else',
      `(select user_id from projects_users where validated and marked_at is not null group by 1 having count(*) >= 5) done
       full join (select user_id from achievements_users u join achievements a on a.id = u.achievement_id
         where a.slug = 'builder') won using (user_id) where done is null or won is null`,
    )
    await none(
      'the first of two comes first',
      `achievements_users u join achievements a on a.id = u.achievement_id where a.parent_id is not null and not exists (
         select from achievements_users b
         where b.user_id = u.user_id and b.achievement_id = a.parent_id and b.created_at <= u.created_at)`,
    )
    await none('nothing is won in the future', `achievements_users where created_at > '${NOW}'`)
  })

  it('comes with the titles that belong to it, of which each shows one at most', async () => {
    await none(
      'a title is held for an achievement',
      `titles_users t full join (select u.user_id, a.title_id from achievements_users u
         join achievements a on a.id = u.achievement_id where a.title_id is not null) won
       on won.user_id = t.user_id and won.title_id = t.title_id where t is null or won is null`,
    )
    assert.ok((await one('select count(*) from titles_users where selected')) > 0)
  })

  it('is sent by people who were there', async () => {
    for (const table of ['expertises_users', 'partnerships_users', 'patronages', 'groups_users']) {
      assert.ok((await one(`select count(*) from ${table}`)) >= 9, table)
      await none(
        `${table}: nobody before they came, and nothing to come`,
        `${table} t join users u on u.id = t.user_id where t.created_at < u.created_at or t.updated_at > '${NOW}'`,
      )
    }
    await none(
      'a godfather is of the same campus and began before',
      `patronages p
       join cursus_users young on young.user_id = p.user_id and young.cursus_id = 1
       left join cursus_users old on old.user_id = p.godfather_id and old.cursus_id = 1
       where old is null or old.begin_at >= young.begin_at or not exists (
         select from campus_users a join campus_users b using (campus_id)
         where a.user_id = p.user_id and b.user_id = p.godfather_id)`,
    )
    await none(
      'those who help with teaching have a role for it, and only those and the staff',
      `(select user_id from groups_users where group_id in (1, 2)) helping full join roles_users using (user_id)
       where helping is null or roles_users is null`,
    )
  })

  it('has dates where something ends', async () => {
    await none('closes about hours of work', `closes where (kind = 'other') <> (end_at is not null)`)
    await none('lifted closes have ended', `closes where state = 'unclose' and end_at > '${NOW}'`)
    await none('sessions begin', 'project_sessions where begin_at is null')
    assert.ok((await one(`select count(*) from project_sessions where end_at > '${NOW}'`)) > 0)
    await none(
      'teams have until their deadline once they work, and longer until they are ended',
      'teams where (locked_at is null) <> (deadline_at is null) or deadline_at < locked_at or terminating_at < deadline_at',
    )
    await none(
      'a team is ended as its session says',
      `teams t join project_sessions s on s.id = t.project_session_id
       where t.terminating_at <> t.locked_at + s.terminating_after * interval '1 day'`,
    )
  })

  it('was sent to their campuses as it is', async () => {
    assert.equal(await one('select count(*) from deliveries'), 25)
    await none(
      'each at its last change',
      `deliveries d join users u on u.id = d.user_id where d.created_at <> u.updated_at or d.created_at > '${NOW}'`,
    )
    const engine = await testEngine(world.database, world.clock, new Sealer(Buffer.alloc(32)))
    const sent = await world.database.rows('select user_id, record from deliveries')
    const list = { resource: engine.registry.get('users'), conditions: [] }
    const records = await runAmong(
      requestContext(engine, SERVICE),
      list,
      'webservice',
      sent.map(([id]) => Number(id)),
    )
    for (const [id, record] of sent)
      assert.deepEqual(JSON.parse(String(record)), JSON.parse(String(records.get(Number(id)))))
  })
})
