import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { associationSteps } from '@campus/engine/rest/declare/check-associations'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
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

/** Columns of a resource that clients may write: by its payload, by the path, or by the record that contains it. */
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
