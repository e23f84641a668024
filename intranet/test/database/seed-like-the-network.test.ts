import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type SeedSummary, seed } from '@campus/demo/seeds/seed'
import type { Database } from '@campus/engine/database/database'
import { testDatabase } from '@campus/test/support/database'

const SIZES = { users: 80, locations: 160, now: new Date('2026-03-02T10:00:00.000Z'), webservicesAreOn: true }

describe('a school like the network', () => {
  let database: Database
  let usual: Database
  let summary: SeedSummary
  let usualSummary: SeedSummary

  const rowsOf = async (sql: string, of: Database = database) =>
    (await of.rows(sql)).map((row) => row.map((value) => (value === null ? null : String(value))))

  before(async () => {
    ;[database, usual] = await Promise.all([testDatabase(), testDatabase()])
    summary = await seed(database, { ...SIZES, likeTheNetwork: true })
    usualSummary = await seed(usual, SIZES)
  })
  after(() => Promise.all([database.close(), usual.close()]))

  it('has the campuses, cursus and projects that programs ask for by number', async () => {
    assert.deepEqual(await rowsOf('select id, slug, kind from cursus where id in (1, 9, 21) order by id'), [
      ['1', '42', 'main_deprecated'],
      ['9', 'c-piscine', 'piscine'],
      ['21', '42cursus', 'main'],
    ])
    assert.deepEqual(
      await rowsOf('select id, name, time_zone from campus where id in (1, 12, 14, 16, 28, 29, 35) order by id'),
      [
        ['1', 'Paris', 'Europe/Paris'],
        ['12', '19', 'Europe/Brussels'],
        ['14', 'Amsterdam', 'Europe/Amsterdam'],
        ['16', 'Khouribga', 'Africa/Casablanca'],
        ['28', 'Rio de Janeiro', 'America/Sao_Paulo'],
        ['29', 'Seoul', 'Asia/Seoul'],
        ['35', 'Amman', 'Asia/Amman'],
      ],
    )
    assert.deepEqual(await rowsOf('select id, name, slug from projects where id in (1314, 1337, 1471) order by id'), [
      ['1314', 'Libft', '42cursus-libft'],
      ['1337', 'ft_transcendence', 'ft_transcendence'],
      ['1471', 'push_swap', '42cursus-push_swap'],
    ])
    for (const [table, ids] of [
      ['cursus', [1, 3, 4, 9, 21, 79, 80]],
      ['projects', [1268, 1271, 1304, 1314, 1320, 1321, 1322, 1323, 1324]],
    ] as const)
      assert.deepEqual(
        await rowsOf(`select id from ${table} where id in (${ids}) order by id`),
        ids.map((id) => [String(id)]),
      )
    assert.deepEqual(await rowsOf('select slug from projects where id between 1320 and 1324 and not exam'), [])
  })

  it('leaves no recorded changes, so no webservice is called, and records later changes', async () => {
    for (const school of [database, usual]) {
      assert.notDeepEqual(await rowsOf('select count(*) from endpoints where active', school), [['0']])
      assert.deepEqual(await rowsOf('select distinct relation from change_log', school), [])
      await school.rows(`update users set phone = '1' where id = (select min(id) from users)`)
      assert.deepEqual(await rowsOf('select distinct relation from change_log', school), [['users']])
    }
  })

  it('has people at every campus, in both cursus and on the first project', async () => {
    const empty = `select id from campus c where not exists (select from campus_users where campus_id = c.id)`
    assert.deepEqual(await rowsOf(empty), [])
    for (const condition of ['cursus_users where cursus_id = 21', 'cursus_users where cursus_id = 9']) {
      assert.notEqual((await rowsOf(`select count(*) from ${condition}`))[0]?.[0], '0', condition)
    }
    assert.notEqual((await rowsOf('select count(*) from projects_users where project_id = 1314'))[0]?.[0], '0')
  })

  it('has the people of the usual one, each as often as there', async () => {
    const grown = ['campus', 'cursus', 'events_campus', 'projects', 'projects_campus', 'projects_cursus']
    for (const [table, rows] of Object.entries(usualSummary)) {
      assert.equal(summary[table], rows + (grown.includes(table) ? (summary[table] ?? 0) - rows : 0), table)
    }
    for (const [table, rows] of Object.entries(summary)) {
      assert.deepEqual(await rowsOf(`select count(*) from ${table}`), [[String(rows)]], table)
    }
    const people = 'select id, login from users order by id'
    assert.deepEqual(await rowsOf(people), await rowsOf(people, usual))
    const work = `select tu.user_id, t.name, t.final_mark from teams t join teams_users tu on tu.team_id = t.id order by tu.id`
    assert.deepEqual(await rowsOf(work), await rowsOf(work, usual))
  })

  it('leaves nothing that still says what a project was called', async () => {
    const former = (await rowsOf('select name, slug from projects where id <= 21', usual)).flat()
    const texts = (
      await rowsOf(
        'select description from projects union all select description from project_sessions union all select value from params_project_sessions_rules',
      )
    ).flat()
    const [renamed] = await rowsOf("select count(*) from projects where slug like '42cursus-%'")
    assert.ok(Number(renamed?.[0]) >= 5)
    assert.deepEqual(
      texts.filter((text) => former.slice(0, 4).some((name) => text?.includes(name ?? '-'))),
      [],
    )
  })

  it('keeps its counts exact, and gives new records new ids', async () => {
    const campus = await rowsOf('select max(id) from campus')
    const next = await rowsOf("select nextval(pg_get_serial_sequence('campus', 'id'))")
    assert.ok(Number(next[0]?.[0]) > Number(campus[0]?.[0]))
    const [counted, there] = await Promise.all([
      rowsOf("select sum(row_count) from row_counts where relation = 'campus_users'"),
      rowsOf('select count(*) from campus_users'),
    ])
    assert.deepEqual(counted, there)
  })
})
