import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Access } from '@campus/engine/rest/declare/access'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import { campus } from './campus.ts'
import { assemble, type Cast, PEOPLE, type Person, STAGES, type Stage } from './cast.ts'
import type { Response } from './client.ts'
import { textTable } from './text-table.ts'

type Values = Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, unknown>>

/** One field of a payload, what it is called in the table, and a value that differs from what is there. */
type Door = {
  readonly name: string
  payload(row: Row, cast: Cast, person: Person): Promise<Values>
  /** The field whose column shows what was written, in the record or in the newest element of `of`. */
  readonly shownBy?: string
  readonly of?: Resource
}

const FIXTURE = new URL('../fixtures/side-doors.txt', import.meta.url)

const HEADER = `# What comes of each field that people send with a token of their own, in each route that they may use for records of
# their own. Made by \`npm run generate -- side-doors\` from the declarations and from what the service answers, and
# compared by intranet/test/api/side-doors.test.ts. The people and the records are those of test/support/cast.ts.
#
#   written    as it was sent          moved      written, but otherwise than it was sent: the service's own value
#   ignored    accepted, and nothing came of it          403, 404, 422   refused, and nothing came of it
#   as is      accepted, since it says what is so already
#
# A dash is the request without any more fields than it needs. \`a.b\` is the field b of an element of a. Where a field names
# a person, \`=me\` is who asks and \`=you\` somebody else.

`

/** The committed table. */
export const readSideDoors = (): string => readFileSync(FIXTURE, 'utf8')

/** The routes of a resource that people may use for records of their own. */
export function ownActions({ actions }: Resource): readonly string[] {
  if (actions === embeddedOnly) return []
  const writes = (['create', 'update', 'destroy'] as const).filter((name) => isOwn(actions[name]?.access))
  const members = Object.entries(actions.members ?? {}).filter(([, { access }]) => isOwn(access))
  return [...writes, ...members.map(([name]) => name)]
}

function methodOf({ actions }: Resource, member: string): string {
  return (actions !== embeddedOnly && actions.members?.[member]?.method) || 'PATCH'
}

function isOwn(access: Access | undefined): boolean {
  if (access === undefined) return false
  return access.kind === 'own' || ('of' in access && access.of.some(isOwn))
}

/** The whole table, as a service answers now that is started for it. */
export async function makeSideDoors(): Promise<string> {
  const world = await campus({ now: '2026-03-02T10:00:00.000Z' })
  try {
    await world.build.record('tags', { name: 'Lost', kind: 'general' })
    return await tableOf(await assemble(world), declaredRegistry())
  } finally {
    await world.close()
  }
}

async function tableOf(cast: Cast, registry: Registry): Promise<string> {
  const rows: string[][] = [['# resource', 'action', 'field', ...PEOPLE]]
  for (const resource of registry.resources) {
    for (const action of ownActions(resource)) {
      const stage = STAGES[resource.name]
      assert.ok(stage, `say in test/support/cast.ts how a record of ${resource.name} is tried`)
      for (const line of await tryAction(cast, registry, resource, action, stage)) rows.push(line)
    }
  }
  return `${HEADER}${textTable(rows)}`
}

async function tryAction(cast: Cast, registry: Registry, resource: Resource, action: string, stage: Stage) {
  const takesPayload = action === 'create' || action === 'update'
  const doors = takesPayload ? [NOTHING, ...doorsOf(registry, resource, stage, action)] : [NOTHING]
  const lines: string[][] = []
  let id: number | undefined
  for (const door of doors) {
    const cells: string[] = []
    for (const person of PEOPLE) {
      if (action !== 'create') id ??= await stage.record(cast)
      const outcome = id === undefined ? await tryCreation(person, door) : await tryRecord(id, person, door)
      // What was refused has left the record as it was.
      if (!/^4/.test(outcome)) id = undefined
      cells.push(outcome)
    }
    lines.push([resource.name, action, door.name, ...cells])
  }
  return lines

  async function tryCreation(person: Person, door: Door): Promise<string> {
    const needed = await stage.creation(cast, person)
    const sent = { ...needed, ...(await door.payload({}, cast, person)) }
    const before = await totals(door)
    const answer = await cast.client[person].post(stage.below?.(cast) ?? `/v2/${resource.name}`, {
      [resource.singular]: sent,
    })
    if (answer.status !== 201) return refused(answer)
    const made = resource.wrapped ? answer.json[resource.singular] : answer.json
    return compare(door, valueSent(door, sent), {}, await rowOf(cast, resource, made.id), before)
  }

  async function tryRecord(id: number, person: Person, door: Door): Promise<string> {
    const before = await rowOf(cast, resource, id)
    const counted = await totals(door)
    const sent = await door.payload(before, cast, person)
    const path = `/v2/${resource.name}/${id}`
    const client = cast.client[person]
    if (action === 'destroy') return done(await client.delete(path))
    if (action !== 'update') return done(await client.request(methodOf(resource, action), `${path}/${action}`, {}))
    const answer = await client.patch(path, { [resource.singular]: sent })
    if (answer.status !== 204) return refused(answer)
    return compare(door, valueSent(door, sent), before, await rowOf(cast, resource, id), counted)
  }

  /** The rows of what may be written along with a record, as one text, where the door is about them. */
  async function totals(door: Door): Promise<string> {
    if (door === NOTHING || (door.shownBy && !door.of)) return ''
    const { nested = {}, links = {} } = resource.payload ?? {}
    const tables = [
      ...Object.values(nested).map((one) => registry.get(one.resource).table),
      ...Object.values(links).map(({ table }) => table),
    ]
    if (tables.length === 0) return ''
    const parts = tables.map((table) => `select count(*), max(t::text) from "${table}" t`)
    return JSON.stringify(await cast.world.database.rows(parts.join(' union all ')))
  }

  async function compare(door: Door, sent: unknown, before: Row, after: Row, counted: string): Promise<string> {
    if (door === NOTHING) return 'ok'
    const hasMore = (await totals(door)) !== counted
    if (!door.shownBy) return hasMore ? 'written' : 'ignored'
    const column = (door.of ?? resource).stored(door.shownBy)?.column ?? door.shownBy
    const shown = door.of ? await newestRow(cast, door.of) : after
    if (door.of) return hasMore && same(shown[column], sent) ? 'written' : 'ignored'
    if (action === 'update' && same(before[column], sent)) return same(after[column], sent) ? 'as is' : 'moved'
    if (same(after[column], sent)) return 'written'
    return action === 'create' || same(after[column], before[column]) ? 'ignored' : 'moved'
  }
}

const NOTHING: Door = { name: '-', payload: async () => ({}) }

const done = (answer: Response) => (answer.status === 204 ? 'ok' : refused(answer))

function refused({ status, text }: Response): string {
  assert.ok([403, 404, 422].includes(status), `${status} ${text}`)
  return String(status)
}

function same(stored: unknown, sent: unknown): boolean {
  if (stored == null || sent == null) return stored == null && sent == null
  if (typeof stored === 'string' && /^\d{4}-\d\d-\d\dT/.test(stored))
    return Date.parse(stored) === Date.parse(String(sent))
  return String(stored) === String(sent)
}

async function rowOf({ world }: Cast, { table }: Resource, id: number): Promise<Row> {
  const [row] = await world.database.rows(`select to_jsonb(t) from "${table}" t where id = $1`, [id])
  return row ? JSON.parse(row[0] as string) : {}
}

/** What was sent for the field that the door is about. */
function valueSent({ name, shownBy = '' }: Door, sent: Values): unknown {
  const [outer = '', inner] = name.split('.')
  return inner ? (sent[outer] as Values[])[0]?.[shownBy] : sent[shownBy]
}

async function newestRow(cast: Cast, { table }: Resource): Promise<Row> {
  const [row] = await cast.world.database.rows(`select to_jsonb(t) from "${table}" t order by id desc limit 1`)
  return row ? JSON.parse(row[0] as string) : {}
}

/** Every field that a payload of the resource may hold. */
function doorsOf(registry: Registry, resource: Resource, stage: Stage, action: string): Door[] {
  const { accepts = [], extra = {}, nested = {}, links = {}, pointed = {} } = resource.payload ?? {}
  assert.deepEqual(Object.keys(pointed), [], `say in test/support/side-doors.ts how ${resource.name} is tried`)
  const doors: Door[] = accepts.flatMap((name) =>
    waysOf(registry, resource, name).map(({ suffix, valueFor }) => ({
      name: name + suffix,
      shownBy: name,
      async payload(row, cast, person) {
        // What a new record would be about is another than what this one is about.
        if (action === 'update' && suffix === '' && name.endsWith('_id')) {
          const fresh = (await stage.creation(cast, person))[name]
          if (fresh !== undefined) return { [name]: fresh }
        }
        return { [name]: await valueFor(row, cast, person) }
      },
    })),
  )
  for (const name of Object.keys(extra)) doors.push({ name, payload: async () => ({ [name]: null }) })
  for (const [name, { resource: of, atCreation, by }] of Object.entries(nested)) {
    if (atCreation && action !== 'create') continue
    const element = stage.elements?.[name] ?? assert.fail(`say in test/support/cast.ts what an element of ${name} is`)
    doors.push({ name, payload: async (_, cast) => ({ [name]: [await element(cast)] }) })
    const child = registry.get(of)
    for (const field of child.payload?.accepts.filter((one) => one !== by) ?? []) {
      for (const { suffix, valueFor } of waysOf(registry, child, field)) {
        doors.push({
          name: `${name}.${field}${suffix}`,
          shownBy: field,
          of: child,
          async payload(_, cast, person) {
            const base = await element(cast)
            const value = suffix === '' ? base[field] : undefined
            return { [name]: [{ ...base, [field]: value ?? (await valueFor({}, cast, person)) }] }
          },
        })
      }
    }
  }
  for (const [name, { otherKey }] of Object.entries(links)) {
    const target = registry.get(
      LINKED[otherKey] ?? assert.fail(`say in test/support/side-doors.ts what ${otherKey} names`),
    )
    doors.push({ name, payload: async (_, cast) => ({ [name]: [await otherId(cast, target, 0)] }) })
  }
  return doors
}

/** What the columns of join tables name. */
const LINKED: Readonly<Record<string, string>> = { tag_id: 'tags', cursus_id: 'cursus' }

const numbers = new Map<string, number>()

type Way = { readonly suffix: string; valueFor(row: Row, cast: Cast, person: Person): Promise<unknown> }

/** What may be sent for a field, other than what the row holds. */
function waysOf(registry: Registry, resource: Resource, name: string): readonly Way[] {
  const { kind, references, column } = resource.stored(name) ?? assert.fail(`${resource.name}.${name} has no column`)
  if (references === 'users') {
    // The attacker takes it for themselves, or does it in the name of somebody else.
    return [
      { suffix: '=me', valueFor: async (_, cast, person) => cast.id[person] },
      { suffix: '=you', valueFor: async (_, cast, person) => cast.id[person === 'owner' ? 'stranger' : 'owner'] },
    ]
  }
  return [{ suffix: '', valueFor: (row, cast) => otherValue(cast, row[column]) }]

  async function otherValue(cast: Cast, present: unknown): Promise<unknown> {
    if (references) return otherId(cast, registry.get(references), Number(present ?? 0))
    const { type, enum: words } = kind.schema as { type?: string; enum?: readonly string[] }
    const next = (numbers.get(name) ?? 0) + 1
    numbers.set(name, next)
    if (words) return words.find((word) => word !== present) ?? words[0]
    if (kind.sqlType === 'timestamptz') return '2026-03-01T12:00:00.000Z'
    if (type === 'integer') return present === 2 ? 4 : 2
    if (type === 'boolean') return present !== true
    return name === 'repo_url' ? `https://git.campus.test/${next}` : `Something else ${next}`
  }
}

async function otherId({ world }: Cast, { table }: Resource, present: number): Promise<number> {
  const [row] = await world.database.rows(`select max(id) from "${table}" where id <> $1`, [present])
  return Number(row?.[0])
}
