import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { open } from '@campus/engine/rest/declare/access'
import { joinTable, onward, through } from '@campus/engine/rest/declare/association'
import { readCatalogue } from '@campus/engine/rest/declare/catalogue'
import { associationSteps, checkAssociations } from '@campus/engine/rest/declare/check-associations'
import { type Declaration, embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { integer, reference } from '@campus/engine/rest/declare/fields/columns'
import { countOf, idsOf } from '@campus/engine/rest/declare/fields/computed'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import type { Field } from '@campus/engine/rest/declare/fields/field'
import { whenRelated } from '@campus/engine/rest/declare/filters'
import { Registry } from '@campus/engine/rest/declare/registry'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { Shapes } from '@campus/engine/rest/json-api/shapes'
import { routeTable } from '@campus/engine/rest/route-table'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()

/** Associations that the service alone writes (spec: writing 25). */
const MADE_BY_THE_SERVICE = [
  ...[
    'application_roles.application_id',
    'application_roles.role_id',
    'callbacks.endpoint_id',
    'deliveries.endpoint_id',
    'events.waitlist_id',
  ],
  ...['waitlists.event_id', 'waitlists.exam_id', 'commands.product_id', 'correction_point_historics.user_data_id'],
  ...['experiences.partnerships_user_id', 'experiences.projects_user_id', 'journals.campus_id'],
  ...['teams_users.projects_user_id', 'topics.message_id', 'topics.pinner_id', 'topics.locker_id'],
]

/** A column that associates records: `teams_users.user_id`. */
const named = (table: string, column: string) => `${table}.${column}`

const read = new Set(
  registry.resources.flatMap((resource) =>
    associationSteps(registry, resource).flatMap(({ table, column, isFlag }) => (isFlag ? [] : named(table, column))),
  ),
)

/** What clients may write of a resource's own columns: by its payload, by the path, or by what it is part of. */
function writtenOf(resource: Resource): string[] {
  const { accepts = [], nested = {}, pointed = {}, links = {} } = resource.payload ?? {}
  const isRouted = resource.actions !== embeddedOnly && (resource.actions.create ?? resource.actions.update)
  const own = isRouted || isPart(resource.name) ? accepts.map((name) => resource.stored(name)?.column ?? name) : []
  const byPath = (resource.parents ?? []).flatMap(({ actions, chain }) =>
    actions.includes('create')
      ? chain.flatMap(({ association }) => (typeof association === 'string' ? [association] : []))
      : [],
  )
  const by = Object.values(pointed).map((target) => target.by)
  return [
    ...[...own, ...byPath, ...by].map((column) => named(resource.table, column)),
    ...Object.values(nested).map((target) => named(registry.get(target.resource).table, target.by)),
    ...Object.values(links).flatMap(({ table, foreignKey, otherKey }) => [
      named(table, foreignKey),
      named(table, otherKey),
    ]),
  ]
}

const isPart = (name: string) =>
  registry.resources.some(({ payload: { nested = {}, pointed = {} } = { accepts: [] } }) =>
    [...Object.values(nested), ...Object.values(pointed)].some(({ resource }) => resource === name),
  )

it('what associates records that are shown together can be written, or is said to be made by the service', () => {
  const written = new Set(registry.resources.flatMap(writtenOf))
  const missing = [...read].filter((column) => !column.endsWith('.id') && !written.has(column))
  assert.deepEqual(missing.sort(), MADE_BY_THE_SERVICE.toSorted())
  const rules = readFileSync(new URL('../../../docs/specification/writing.md', import.meta.url), 'utf8')
  const [rule = ''] = /^25\. [\s\S]*?(?=^26\. )/m.exec(rules) ?? []
  for (const column of missing) assert.ok(rule.includes(`\`${column}\``), `${column} is not documented`)
})

/** Campus and users of the real database, in fewer words, with what is to be tried. */
const CAMPUS = {
  name: 'campus',
  singular: 'campus',
  summary: 'A place.',
  index: { sort: ['id'], defaultSort: ['id'] },
} as const
const campusUsers = joinTable('campus_users', { campus: 'campus_id', users: 'user_id' })
const languages = resource({
  ...CAMPUS,
  name: 'languages',
  singular: 'language',
  fields: { id: integer() },
  actions: embeddedOnly,
})
const users = resource({
  ...CAMPUS,
  name: 'users',
  singular: 'user',
  fields: {
    id: integer(),
    campus: many('campus', 'record', { through: campusUsers }),
    campus_ids: idsOf('campus', { through: campusUsers }),
  },
  index: { ...CAMPUS.index, customFilters: { campus_id: whenRelated(through(campusUsers, 'campus')) } },
  parents: [under('campus', { through: campusUsers })],
  actions: { index: open, show: open },
})

type More = Partial<Declaration<Record<string, Field>>>

const campusWith = ({ fields, ...more }: More) =>
  resource<Record<string, Field>>({
    ...CAMPUS,
    ...more,
    fields: { id: integer(), language_id: reference('languages', { nullable: true }), ...fields },
    actions: { index: open, show: open },
  })

describe('an association that is declared once', () => {
  const campus = campusWith({
    fields: { users: many('users', 'record', { through: campusUsers }), users_count: countOf(campusUsers) },
    payload: { accepts: [], links: { user_ids: campusUsers } },
    parents: [under('users', { through: campusUsers }), under('languages')],
  })
  const school = new Registry([campus, users, languages], COMMON_ACCESS)

  it('makes the nested routes of both sides', () => {
    const paths = routeTable(school).map(({ path }) => path)
    assert.ok(paths.includes('/v2/campus/:campus_id/users'))
    assert.ok(paths.includes('/v2/users/:user_id/campus'))
    assert.ok(paths.includes('/v2/languages/:language_id/campus'))
  })

  it('makes relationships of JSON:API that can be written and lead to the nested list', () => {
    const shapes = new Shapes(school)
    const members = shapes.of(campus, 'record').members
    const shown = members.find(({ name }) => name === 'users')
    assert.ok(shown?.kind === 'toMany')
    assert.equal(shown.related, '/v2/campus/:id/users')
    assert.deepEqual(shapes.writablesOf(campus).get('users'), { payload: 'user_ids', target: 'users', isList: true })
  })

  it('takes the null of a record from the column that refers to it', () => {
    const refers = (nullable: boolean) => {
      const fields = { language: one('languages', 'record'), language_id: reference('languages', { nullable }) }
      return campusWith({ fields }).fields.language?.schema(() => ({ type: 'object' }))
    }
    assert.deepEqual([refers(false), refers(true)], [{ type: 'object' }, { type: ['object', 'null'] }])
  })
})

describe('an association that names what does not exist', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  const start = async (more: More) =>
    checkAssociations(await readCatalogue(database), new Registry([campusWith(more), users, languages], COMMON_ACCESS))

  it('stops the start where a column or a table is missing', async () => {
    await start({})
    const wrong = (keys: { campus: string; users: string }, table = 'campus_users') => joinTable(table, keys)
    const right = { campus: 'campus_id', users: 'user_id' }
    const cases: readonly (readonly [More, RegExp])[] = [
      [
        { fields: { users: many('users', 'record', { through: wrong({ ...right, users: 'usr_id' }) }) } },
        /^Error: campus\.users: the database has no column campus_users\.usr_id$/,
      ],
      [
        { parents: [under('users', { through: wrong(right, 'campus_usrs') })] },
        /^Error: campus under users: the database has no column campus_usrs\.campus_id$/,
      ],
      [
        { fields: { users: many('users', 'record') } },
        /^Error: campus\.users: the database has no column users\.campus_id$/,
      ],
      [
        {
          index: {
            ...CAMPUS.index,
            customFilters: { user: whenRelated({ ...through(campusUsers, 'users'), only: 'is_first' }) },
          },
        },
        /^Error: campus filtered by user: the database has no column campus_users\.is_first$/,
      ],
      [
        { payload: { accepts: [], nested: { users_attributes: { resource: 'users', by: 'place_id' } } } },
        /^Error: campus\.users_attributes: the database has no column users\.place_id$/,
      ],
      [
        { parents: [under('users', { by: 'owner' })] },
        /^Error: campus under users: the database has no column campus\.owner$/,
      ],
    ]
    for (const [more, message] of cases) await assert.rejects(start(more), message)
  })

  it('stops the start where a resource is missing', async () => {
    const joined = joinTable('campus_users', { campus: 'campus_id', people: 'user_id' })
    await assert.rejects(
      start({ fields: { people: many('people', 'record', { through: joined }) } }),
      /^Error: campus\.people: no resource is called people$/,
    )
    await assert.rejects(
      start({ payload: { accepts: [], links: { people_ids: joined } } }),
      /^Error: campus\.people_ids: no resource is called people$/,
    )
  })

  it('is refused where it is declared', () => {
    const groups = joinTable('groups_users', { groups: 'group_id', users: 'user_id' })
    const cases: readonly (readonly [() => unknown, RegExp])[] = [
      [
        () => campusWith({ parents: [under('users')] }),
        /^Error: campus lies under users, but has no column that refers to it$/,
      ],
      [
        () => campusWith({ fields: { other_id: reference('languages') }, parents: [under('languages')] }),
        /^Error: campus refers to languages by language_id and other_id: say which it is$/,
      ],
      [
        () => campusWith({ fields: { user: one('users', 'record') } }),
        /^Error: campus\.user shows one of users, but no column user_id of campus refers to users$/,
      ],
      [
        () => campusWith({ payload: { accepts: [], links: { group_ids: groups } } }),
        /^Error: groups_users joins .*, not campus$/,
      ],
      [
        () => campusWith({ fields: { count: countOf(groups) } }),
        /^Error: campus\.count counts groups_users, which does not join campus$/,
      ],
      [
        () => onward(through(campusUsers, 'users'), through(groups, 'groups')),
        /^Error: campus_users leads to user_id, and groups_users goes on from id$/,
      ],
    ]
    for (const [declare, message] of cases) assert.throws(declare, message)
  })
})

describe('every association', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('is followed by an index, if only of the rows that have one', async () => {
    const indexed = await database.rows(
      `select distinct i.indrelid::regclass || '.' || a.attname from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey[0:1])
       where (a.attnum = i.indkey[0] or i.indrelid::regclass || '.' || a.attname = 'feedbacks.feedbackable_id')
         and coalesce(pg_get_expr(i.indpred, i.indrelid), '') in ('', '(' || a.attname || ' IS NOT NULL)')`,
    )
    const found = new Set(indexed.flat())
    assert.deepEqual([...read].filter((column) => !found.has(column)).sort(), [])
  })
})
