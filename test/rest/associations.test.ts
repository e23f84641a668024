import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { resources } from '../../src/resources/index.ts'
import type { Field } from '../../src/rest/declare/fields/field.ts'
import { Registry } from '../../src/rest/declare/registry.ts'
import { type Association, embeddedOnly, type Parent, type Resource } from '../../src/rest/declare/resource.ts'
import { isFound } from '../../src/rest/read/query.ts'
import { Sealer } from '../../src/sealer.ts'

const registry = new Registry(resources(new Sealer(Buffer.alloc(32))))

/** Associations that no payload has under their own name, as docs/api-design.md says of each. */
const MADE_BY_THE_SERVICE = [
  ...['application_roles.application_id', 'application_roles.role_id', 'deliveries.endpoint_id', 'events.waitlist_id'],
  ...['teams_users.projects_user_id', 'topics.message_id', 'topics.pinner_id', 'topics.locker_id'],
]

/** A column that associates records: `teams_users.user_id`. */
const named = (table: string, column: string) => `${table}.${column}`

/** The columns by which a list below another record finds its own. */
function columnsOfParent({ table }: Resource, { chain }: Parent): string[] {
  return chain.flatMap(({ association }) => (isFound(association) ? [] : columnsOfAssociation(table, association)))
}

function columnsOfAssociation(table: string, association: Association): string[] {
  if (typeof association === 'string') return [named(table, association)]
  if ('anyOf' in association) return association.anyOf.flatMap((part) => columnsOfAssociation(table, part))
  return [
    named(association.table, association.foreignKey),
    ...columnsOfAssociation(association.table, association.otherKey),
    named(table, association.key ?? 'id'),
  ]
}

/** The columns by which a field finds the records that it shows. */
function columnsOfField(resource: Resource, { embeds }: Field): string[] {
  if (!embeds) return []
  if (embeds.rows === undefined) return [named(resource.table, embeds.by)]
  const { foreignKey, through, key = 'id' } = embeds.rows
  const { table } = registry.get(embeds.resource)
  const joined = through
    ? [named(through.table, foreignKey), named(through.table, through.otherKey), named(table, through.key ?? 'id')]
    : [named(table, foreignKey)]
  return [...joined, named(resource.table, key)]
}

const read = new Set(
  registry.resources.flatMap((resource) => [
    ...(resource.parents ?? []).flatMap((parent) => columnsOfParent(resource, parent)),
    ...Object.values(resource.fields).flatMap((field) => columnsOfField(resource, field)),
  ]),
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
  const design = readFileSync(new URL('../../docs/api-design.md', import.meta.url), 'utf8')
  const [section = ''] = /^\* \*\*Made by the service\*\*[\s\S]*?\n(?=\*|\n)/m.exec(design) ?? []
  for (const column of missing) assert.ok(section.includes(`\`${column}\``), `${column} is not documented`)
})
