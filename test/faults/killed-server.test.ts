import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '@campus/engine/database/database'
import { type Campus, emptyCampus, kill, type ServerProcess } from './server-process.ts'
import { type Acknowledged, openPlace, type Place, Writer } from './writers.ts'

/** `npm run test:release` asks for the figure of the promise, 200. */
const KILLS = Number(process.env.CAMPUS_TEST_KILLS ?? 10)
const WRITERS = 8

const VICTIMS = ['service', 'database', 'both'] as const

describe(`a service on its embedded database, of which one or both are killed ${KILLS} times while ${WRITERS} clients write`, () => {
  const journal: Acknowledged[] = []
  let campus: Campus
  let database: Database | undefined
  before(async () => {
    campus = await emptyCampus({ database: 'embedded' })
    let place: Place | undefined
    const writers: Writer[] = []
    let server: ServerProcess | undefined
    for (let round = 0; round < KILLS; round += 1) {
      const victim = VICTIMS[round % VICTIMS.length]
      server ??= await campus.start()
      const client = await campus.caller()
      place ??= await openPlace(client)
      while (writers.length < WRITERS) writers.push(new Writer(place, journal))
      const stop = new AbortController()
      const works = writers.map((writer) => writer.work(client, stop.signal))
      await Promise.race([wait(50 + Math.random() * 1450), Promise.all(works)])
      if (victim !== 'service') await campus.killDatabase()
      if (victim === 'database') {
        await wait(Math.random() * 500)
        stop.abort()
      } else {
        await kill(server)
        server = undefined
      }
      await Promise.all(works)
    }
    if (server) await kill(server)
    database = await campus.openDatabase()
  })
  after(async () => {
    await database?.close()
    await campus?.remove()
  })
  const rows = async (text: string) => (await (database as Database).rows(text)) as string[][]

  it('has lost no write that was acknowledged', async (t) => {
    t.diagnostic(`${journal.length} acknowledged writes`)
    assert.ok(journal.length > KILLS, `only ${journal.length} writes`)
    const retained = {
      users: new Map((await rows('select id, login from users')) as [string, string][]),
      teams: new Map((await rows('select id, name from teams')) as [string, string][]),
      locations: new Map((await rows('select id, host from locations')) as [string, string][]),
    }
    const lost = journal.filter(({ table, id, unique }) => retained[table].get(String(id)) !== unique)
    assert.deepEqual(lost, [])
  })

  it('made no row twice of a request that was sent again', async () => {
    for (const [table, column] of Object.entries({ users: 'login', teams: 'name', locations: 'host' })) {
      const twins = await rows(`select ${column} from ${table} group by ${column} having count(*) > 1`)
      assert.deepEqual(twins, [], table)
    }
  })

  it('left no team without its member, nor a member without a place on the project', async () => {
    const halves = await rows(`select t.id from teams t where not exists (
      select 1 from teams_users m join projects_users p on p.user_id = m.user_id and p.project_id = t.project_id
      where m.team_id = t.id)`)
    assert.deepEqual(halves, [])
    const users = await rows(
      'select u.id from users u where not exists (select 1 from campus_users where user_id = u.id)',
    )
    assert.deepEqual(users, [])
  })

  it('left indexes that can be built anew, and totals that are true', async () => {
    for (const table of ['users', 'teams', 'teams_users', 'projects_users', 'locations', 'campus_users']) {
      await rows(`reindex table ${table}`)
      const [[counted] = []] = await rows(
        `select coalesce(sum(row_count), 0) from row_counts where relation = '${table}'`,
      )
      const [[real] = []] = await rows(`select count(*) from ${table}`)
      if (counted !== '0') assert.equal(counted, real, table)
    }
  })
})
