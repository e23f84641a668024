import { readAggregates } from '../../database/aggregates.ts'
import { through } from './association.ts'
import {
  type Declared,
  type DeclaredParent,
  embeddedOnly,
  type Links,
  type Names,
  type Nested,
  type Parent,
  type Resource,
  type WebhookFields,
} from './declaration.ts'
import { DATABASE_COLUMNS } from './payload-values.ts'

type Complete = Omit<Declared, 'singular' | 'aggregates' | 'index' | 'parents' | 'payload'> &
  Pick<Resource, 'singular' | 'aggregates' | 'index' | 'parents' | 'payload'>

const BY_ID = { sort: ['id'], defaultSort: ['id'] } as const

/** Fills in defaults from the fields and associations. Throws if one of them names something unknown. */
export function completeDeclaration({
  name,
  singular = name.slice(0, -1),
  fields,
  actions,
  aggregates,
  index = actions === embeddedOnly ? BY_ID : {},
  parents,
  payload = actions !== embeddedOnly && (actions.create || actions.update) ? {} : undefined,
  ...declaration
}: Declared): Complete {
  const within = (some: Declared['fields']) =>
    mapped(some, (field, key) => field.within?.(key, { resource: name, singular, fields }) ?? field)
  const resolved = within(fields)
  return {
    ...declaration,
    name,
    singular,
    actions,
    fields: resolved,
    ...(declaration.webhook && { webhook: webhookOf(declaration.webhook, within) }),
    ...(declaration.calls?.record && { calls: { ...declaration.calls, record: within(declaration.calls.record) } }),
    ...(aggregates && { aggregates: readAggregates(aggregates) }),
    index: indexOf(name, resolved, index),
    ...(parents && { parents: parents.map((parent) => parentOf(name, resolved, parent)) }),
    ...(payload && { payload: payloadOf({ name, singular }, resolved, payload) }),
  }
}

const webhookOf = (
  { instead, adds, embedded, besides }: WebhookFields,
  within: (some: Declared['fields']) => Declared['fields'],
): WebhookFields => ({
  ...(instead && { instead: within(instead) }),
  ...(adds && { adds: within(adds) }),
  ...(embedded && { embedded: within(embedded) }),
  ...(besides && { besides }),
})

const parentOf = (name: string, fields: Declared['fields'], { chain, ...parent }: DeclaredParent): Parent => ({
  ...parent,
  chain: chain.map(({ resource, association }) => ({
    resource,
    association: association ?? referenceTo(name, fields, resource),
  })),
})

function referenceTo(name: string, fields: Declared['fields'], other: string): string {
  const columns = Object.entries(fields).flatMap(([field, { stored }]) =>
    stored?.references === other ? [stored.column ?? field] : [],
  )
  const [column] = columns
  if (column === undefined) throw new Error(`${name} lies under ${other}, but has no column that refers to it`)
  if (columns.length > 1) throw new Error(`${name} refers to ${other} by ${columns.join(' and ')}: say which it is`)
  return column
}

const storedNames = (fields: Declared['fields']) => Object.keys(fields).filter((name) => fields[name]?.stored)

export function namesOf(
  list: string,
  named: Names<Declared['fields']> = { except: [] },
  all: readonly string[],
  fields: Declared['fields'],
): readonly string[] {
  if (!('except' in named)) return named
  const { except, and = [] } = named
  const unknown = except.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Error(`${list}: ${unknown} is excepted, but the list would not have it`)
  const known = and.find((name) => all.includes(name))
  if (known !== undefined) throw new Error(`${list}: ${known} is added, but the list has it anyway`)
  return Object.keys(fields).filter((name) => and.includes(name) || (all.includes(name) && !except.includes(name)))
}

/** Adds `updated_at` to sorts and ranges, so that clients can fetch changes (spec: lists 28). */
function indexOf(
  name: string,
  fields: Declared['fields'],
  { sort, defaultSort = ['-id'], filter, range, unindexed, ...index }: NonNullable<Declared['index']>,
): Resource['index'] {
  const stored = storedNames(fields)
  const named = (list: string, names: typeof sort) => namesOf(`${name}.index.${list}`, names, stored, fields)
  const changeTime = stored.filter((one) => one === 'updated_at')
  const withChangeTime = (names: readonly string[]) => [...names, ...changeTime.filter((one) => !names.includes(one))]
  const sorted = named('sort', sort)
  return {
    ...index,
    defaultSort,
    sort: withChangeTime(sorted),
    filter: filter ? named('filter', filter) : sorted,
    ...(range && { range: withChangeTime(named('range', range)) }),
    ...(unindexed && { unindexed: named('unindexed', unindexed) }),
  }
}

function payloadOf(
  { name, singular }: Pick<Resource, 'name' | 'singular'>,
  fields: Declared['fields'],
  { accepts, requires = [], nested, links, ...payload }: NonNullable<Declared['payload']>,
): NonNullable<Resource['payload']> {
  const writable = storedNames(fields).filter((field) => !DATABASE_COLUMNS.some((given) => given === field))
  const accepted = namesOf(`${name}.payload.accepts`, accepts, writable, fields)
  return {
    ...payload,
    accepts: accepted,
    requires: [...new Set([...accepted.filter((field) => fields[field]?.stored?.required), ...requires])],
    ...(nested && { nested: mapped(nested, (target): Nested => ({ ...target, by: target.by ?? `${singular}_id` })) }),
    ...(links && { links: mapped(links, (joined): Links => linksOf(name, joined)) }),
  }
}

function linksOf(name: string, joined: NonNullable<NonNullable<Declared['payload']>['links']>[string]): Links {
  const others = Object.keys(joined.keys).filter((one) => one !== name)
  const [resource = ''] = others
  if (!Object.hasOwn(joined.keys, name)) throw new Error(`${joined.table} joins ${others.join(' and ')}, not ${name}`)
  return { ...through(joined, resource), resource }
}

const mapped = <T, U>(
  entries: Readonly<Record<string, T>>,
  map: (entry: T, name: string) => U,
): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, map(entry, name)]))
