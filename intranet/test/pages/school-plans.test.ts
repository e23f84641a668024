import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { faultsOf, planOf } from '@campus/test/support/explain'
import { makeLarge } from '@campus/test/support/make-large'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { closedTeam, openProject } from '@campus/test/support/projects'
import pg from 'pg'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const MAX_ROWS = 1_000
/** In the planner's unit, the reading of a page of a table. */
const MAX_COST = 5_000
/** Limit for two conditions without a common index. The total is counted, then cached until a row changes. */
const MAX_COMBINED_COST = 10_000

const large = new Set(resources(new Sealer(Buffer.alloc(32))).flatMap(({ large, table }) => (large ? table : [])))

type Sent = { readonly text: string; readonly values: readonly unknown[] }

describe('In a school of half a million people', () => {
  let world: World & { readonly database: { readonly url: string } }
  let client: pg.Client
  let ada: SignedIn
  let team: number
  before(async () => {
    world = (await campus({ seeded: true })) as typeof world
    ada = await signedInOf(world, { login: 'ada' })
    const place = await openProject(world)
    const membership = { user_id: ada.id, cursus_id: place.cursus, begin_at: '2026-01-01T00:00:00Z' }
    await world.build.record('cursus_users', membership)
    team = await closedTeam(await world.caller({ user: ada.id, scopes: ['public', 'projects'] }), place.project)
    await makeLarge(world.database, [...large])
    client = new pg.Client({ connectionString: world.database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await world.close()
  })

  /** Returns the statements of a page. */
  async function statementsOf(path: string): Promise<readonly Sent[]> {
    const { rows } = world.database
    const sent = new Map<string, Sent>()
    Object.assign(world.database, {
      rows: (text: string, values: readonly unknown[] = []) => {
        sent.set(text, { text, values })
        return rows(text, values)
      },
    })
    try {
      assert.equal((await ada.browser.get(path)).status, 200, path)
    } finally {
      Object.assign(world.database, { rows })
    }
    return [...sent.values()]
  }

  it('no page of the school reads all of a large table, or sorts more than it has need of', async () => {
    const first = async (text: string) => String((await world.database.rows(text))[0]?.[0])
    const busy = await first(
      'select campus_id from locations where end_at is null group by 1 order by count(*) desc limit 1',
    )
    const student = await first(
      "select login from users where kind = 'student' and closed_at is null order by id limit 1",
    )
    const project = await first('select project_id from teams group by 1 order by count(*) desc limit 1')
    const event = await first('select id from events order by id limit 1')
    const paths = [
      ...[
        '/people',
        '/people?q=a',
        '/people?campus=all',
        '/people?campus=all&pool_year=2025',
        '/people?coalition=1&campus=all',
        '/people?cursus=1&campus=all',
      ],
      ...[
        `/people?q=mar&campus=${busy}`,

        `/people?coalition=1&campus=${busy}`,
      ],
      ...['/people?q=mar', `/people?campus=${busy}`, `/people/${student}`, '/campuses', `/campuses/${busy}`],
      ...[
        '/projects',
        `/projects/${project}`,
        '/events',
        `/events/${event}`,
        '/evaluations',
        `/evaluations/teams/${team}`,
      ],
    ]
    const combined = [`/people?campus=${busy}&pool_year=2025`]
    const faults: string[] = []
    let looked = 0
    for (const path of [...paths, ...combined]) {
      for (const { text, values } of await statementsOf(path)) {
        if (!/^(\/\*.*?\*\/\s*)?(select|with)/.test(text)) continue
        looked += 1
        const plan = await planOf(client, text, values)
        const isCombined = combined.includes(path) && text.startsWith('select count(*)')
        const bounds = { rows: MAX_ROWS, cost: isCombined ? MAX_COMBINED_COST : MAX_COST }
        const found = faultsOf(plan, (table) => large.has(table) && !isCombined, bounds)
        if (found.length > 0) faults.push(`${path}: ${found.join(', ')}: ${text.slice(0, 200)} … ${text.slice(-300)}`)
      }
    }
    assert.ok(looked > 30, `${looked} statements`)
    assert.deepEqual(faults, [])
  })
})
