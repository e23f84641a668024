import type { Handle } from '../../database/database.ts'
import { errorsWithin, HttpError, unprocessable } from '../../errors.ts'
import { slugOf } from '../../slugs.ts'
import { quote } from '../declare/fields/field.ts'
import { booleanKind, integerKind, type Kind, type SqlValue, WrongValue } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'
import type { Resource, Verb, WriteInput } from '../declare/resource.ts'
import { SqlBuilder } from '../declare/sql-builder.ts'
import { asHttpError, isMissingReference } from './constraints.ts'
import { refuseFixed } from './fixed.ts'
import { NOTHING, type PayloadValues, readPayload, sameAs } from './payload.ts'
import { bare, columnsOf } from './row-values.ts'
import { deleteUnlessUsed } from './still-used.ts'
import { changesOf, isEmpty } from './unchanged.ts'

/** Inserts a record and gives its id. */
export async function insertRecord(
  tx: Handle,
  resource: Resource,
  values: Readonly<Record<string, SqlValue>>,
  now: Date,
): Promise<number> {
  const { accepts = [], beginsNow = [] } = resource.payload ?? {}
  const columns = {
    ...timesOf(resource, ['created_at', 'updated_at', ...beginsNow], now),
    ...columnsOf(resource, withSlug(resource, values)),
  }
  const builder = new SqlBuilder()
  const names = Object.keys(columns)
  const marks = names.map((name) => bare(builder, columns[name] ?? null))
  const rest = names.length === 0 ? 'default values' : `(${names.map(quote).join(', ')}) values (${marks.join(', ')})`
  const insert = `insert into ${quote(resource.table)} ${rest}`
  // Where clients may choose ids, the sequence comes upon those and passes them.
  const passes = accepts.includes('id') && columns.id === undefined
  for (;;) {
    const [row] = await tx.rows(`${insert}${passes ? ' on conflict (id) do nothing' : ''} returning id`, builder.values)
    if (row) return Number(row[0])
  }
}

/** Updates a record. The id may itself be among the values; the one in force afterwards is given. */
export async function updateRecord(
  tx: Handle,
  resource: Resource,
  id: number,
  values: Readonly<Record<string, SqlValue>>,
  now: Date,
): Promise<number> {
  const columns = { ...timesOf(resource, ['updated_at'], now), ...columnsOf(resource, values) }
  if (Object.keys(columns).length === 0) return id
  await refuseFixed(tx, resource, id, values)
  const builder = new SqlBuilder()
  const sets = Object.entries(columns).map(([name, value]) => `${quote(name)} = ${bare(builder, value)}`)
  const [row] = await tx.rows(
    `update ${quote(resource.table)} set ${sets.join(', ')} where id = ${bare(builder, id)} returning id`,
    builder.values,
  )
  return Number(row?.[0])
}

/** Deletes a record. */
export async function deleteRecord(tx: Handle, resource: Resource, id: number): Promise<void> {
  await tx.rows(`delete from ${quote(resource.table)} where id = $1`, [id])
}

/** Creates what the record is to point at (`<assoc>_attributes` of one other) and gives its values with those ids. */
export async function writeAhead(
  tx: Handle,
  registry: Registry,
  resource: Resource,
  { values, pointed }: Pick<PayloadValues, 'values' | 'pointed'>,
  now: Date,
): Promise<PayloadValues['values']> {
  const ids: Record<string, SqlValue> = {}
  for (const [name, element] of pointed) {
    const target = resource.payload?.pointed?.[name]
    if (!target) continue
    const other = registry.get(target.resource)
    await within(name, registry, async () => {
      const { values: theirs } = readPayload(other, element, { creating: true, now })
      ids[target.by] = await insertRecord(tx, other, theirs, now)
    })
  }
  return { ...values, ...ids }
}

/** On whose behalf something is written, and when. */
type Context = Pick<WriteInput, 'caller' | 'ownOnly' | 'now'>

/** Writes what came along with the record, `<assoc>_attributes` and `<name>_ids`, and checks the whole. */
export async function writeAlong(
  tx: Handle,
  registry: Registry,
  resource: Resource,
  id: number,
  { nested, links }: Pick<PayloadValues, 'nested' | 'links'>,
  context: Context,
): Promise<void> {
  for (const [name, elements] of nested) {
    const target = resource.payload?.nested?.[name]
    if (!target) continue
    for (const [index, element] of elements.entries()) {
      await within(`${name}[${index}]`, registry, () => writeElement(tx, registry, { ...target, id }, element, context))
    }
  }
  for (const [name, ids] of links) {
    const target = resource.payload?.links?.[name]
    if (!target) continue
    const joined = registry.resources.find(({ table }) => table === target.table)
    const times = joined ? timesOf(joined, ['created_at', 'updated_at'], context.now) : {}
    await replaceLinks(tx, target, id, ids, times).catch((error) => {
      throw isMissingReference(error) ? unprocessable({ [name]: ['must exist'] }) : error
    })
  }
  await resource.payload?.settled?.(tx, id)
}

type Links = { readonly table: string; readonly foreignKey: string; readonly otherKey: string }

async function replaceLinks(
  tx: Handle,
  links: Links,
  id: number,
  ids: readonly number[],
  times: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const [table, foreignKey, otherKey] = [quote(links.table), quote(links.foreignKey), quote(links.otherKey)]
  await tx.rows(`delete from ${table} where ${foreignKey} = $1 and ${otherKey} <> all($2::int[])`, [id, ids])
  const more = Object.keys(times).map((name) => `, ${quote(name)}`)
  const marks = more.map((_, index) => `, $${index + 3}::timestamptz`)
  await tx.rows(
    `insert into ${table} (${foreignKey}, ${otherKey}${more.join('')})
     select $1, wanted${marks.join('')} from unnest($2::int[]) wanted
     where not exists (select 1 from ${table} where ${foreignKey} = $1 and ${otherKey} = wanted)`,
    [id, ids, ...Object.values(times)],
  )
}

/** Writes a part of a record; what is wrong with it is named by its place: `teams_users_attributes[0].user_id`. */
async function within(part: string, registry: Registry, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    const httpError = asHttpError(error, registry)
    if (httpError instanceof HttpError && httpError.errors) throw unprocessable(errorsWithin(part, httpError.errors))
    throw httpError
  }
}

type Target = {
  readonly resource: string
  readonly by: string
  readonly id: number
  readonly verbs?: NonNullable<NonNullable<Resource['payload']>['nested']>[string]['verbs']
}

/** One element of `<assoc>_attributes`: with an id it is changed or (`_destroy`) removed, without one it is new. */
async function writeElement(
  tx: Handle,
  registry: Registry,
  target: Target,
  element: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<void> {
  const resource = registry.get(target.resource)
  const { now } = context
  // Whose it is follows from the record that it comes with, so nobody moves an element to another one.
  const { id: givenId, _destroy: destroy, [target.by]: holder, ...rest } = element
  requireHolder(target, holder)
  const asked = givenId == null || givenId === '' ? undefined : read('id', integerKind, givenId)
  const idColumn = resource.stored('id')?.column ?? 'id'
  // Where elements go by the id of what they are about, as a skill, whoever names one need not know whether it is there.
  const isNamedByOther = idColumn !== 'id'
  const id = asked === undefined ? undefined : await findElement(tx, resource, target, idColumn, asked)
  if (id === undefined && asked !== undefined && !isNamedByOther) {
    throw unprocessable({ id: [`${asked} is no element of this record`] })
  }
  const perform = (verb: Verb, payload: PayloadValues, values: WriteInput['values']) => {
    const along = new Set([...payload.nested.keys(), ...payload.links.keys()])
    return verb(tx, { ...context, id: id ?? 0, values, along })
  }
  const { verbs } = target
  if (isDestroyed(destroy)) {
    if (id === undefined) return
    await deleteUnlessUsed(tx, registry, resource, id, async () => {
      if (verbs) await perform(verbs.destroy, NOTHING, {})
      else await deleteRecord(tx, resource, id)
    })
    return
  }
  if (id === undefined) {
    const named = isNamedByOther ? { ...rest, id: givenId } : rest
    const payload = readPayload(resource, named, { creating: true, given: { [target.by]: target.id }, now })
    const values = await writeAhead(tx, registry, resource, payload, now)
    const created = verbs ? await perform(verbs.create, payload, values) : await insertRecord(tx, resource, values, now)
    return writeAlong(tx, registry, resource, created, payload, context)
  }
  const sent = readPayload(resource, rest, { creating: false, now })
  const payload = await changesOf(tx, registry, resource, id, sent, now)
  if (isEmpty(payload)) return
  const values = await writeAhead(tx, registry, resource, payload, now)
  if (verbs) await perform(verbs.update, payload, values)
  else await updateRecord(tx, resource, id, values, now)
  await writeAlong(tx, registry, resource, id, payload, context)
}

/** The id of the row behind an element, locked; undefined where this record has none such. */
async function findElement(
  tx: Handle,
  { table }: Resource,
  target: Target,
  column: string,
  asked: SqlValue,
): Promise<number | undefined> {
  const [row] = await tx.rows(
    `select id from ${quote(table)} where ${quote(column)} = $1 and ${quote(target.by)} = $2 for update`,
    [asked, target.id],
  )
  return row && Number(row[0])
}

function requireHolder({ by, id }: Target, holder: unknown): void {
  if (holder == null || holder === '' || read(by, integerKind, holder) === id) return
  throw unprocessable({ [by]: [sameAs('record around it', id)] })
}

const isDestroyed = (value: unknown) => value != null && value !== '' && read('_destroy', booleanKind, value) === true

function read(name: string, kind: Kind, input: unknown): SqlValue {
  try {
    return kind.read(input)
  } catch (error) {
    throw error instanceof WrongValue ? unprocessable({ [name]: [error.message] }) : error
  }
}

function withSlug(resource: Resource, values: Readonly<Record<string, SqlValue>>): Readonly<Record<string, SqlValue>> {
  const from = resource.payload?.slugFrom
  return from && values.slug == null ? { ...values, slug: slugOf(String(values[from])) } : values
}

function timesOf(resource: Resource, names: readonly string[], now: Date): Record<string, SqlValue> {
  return Object.fromEntries(names.filter((name) => resource.stored(name)).map((name) => [name, now.toISOString()]))
}
