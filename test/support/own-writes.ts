import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Access } from '@campus/engine/rest/declare/access'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import { campus } from './campus.ts'
import type { Response } from './client.ts'
import { createPersonas, PEOPLE, type Person, type Personas, SCENARIOS, type Scenario } from './personas.ts'
import { textTable } from './text-table.ts'

type Values = Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, unknown>>

/** Sends one field of a payload with a value that differs from the stored one. */
type Attempt = {
  readonly name: string
  payload(row: Row, personas: Personas, person: Person): Promise<Values>
  /** Field whose column shows the written value, in the record or in the newest record of `of`. */
  readonly shownBy?: string
  readonly of?: Resource
}

const FIXTURE = new URL('../fixtures/own-writes.txt', import.meta.url)

const HEADER = `# The outcome of each field that people send with their own token, in each route that they may use for their own
# records. Made by \`npm run generate -- own-writes\` from the declarations and from what the service answers, and
# compared by intranet/test/api/own-writes.test.ts. The people and the records are those of test/support/personas.ts.
#
#   written    as it was sent          moved      written, but otherwise than it was sent: the service's own value
#   ignored    accepted, and nothing came of it          403, 404, 422   refused, and nothing came of it
#   as is      accepted, since it says what is so already
#
# A dash is the request without any more fields than it needs. \`a.b\` is the field b of an element of a. Where a field names
# a person, \`=me\` is who asks and \`=you\` somebody else.

`

/** The committed table. */
export const readOwnWrites = (): string => readFileSync(FIXTURE, 'utf8')

/** Lists the actions of a resource that people may use on their own records. */
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

/** Starts a service, sends every request of the table, and returns the table. */
export async function generateOwnWrites(): Promise<string> {
  const world = await campus({ now: '2026-03-02T10:00:00.000Z' })
  try {
    await world.build.record('tags', { name: 'Lost', kind: 'general' })
    return await tableOf(await createPersonas(world), declaredRegistry())
  } finally {
    await world.close()
  }
}

async function tableOf(personas: Personas, registry: Registry): Promise<string> {
  const rows: string[][] = [['# resource', 'action', 'field', ...PEOPLE]]
  for (const resource of registry.resources) {
    for (const action of ownActions(resource)) {
      const scenario = SCENARIOS[resource.name]
      assert.ok(scenario, `add ${resource.name} to SCENARIOS of test/support/personas.ts`)
      for (const line of await tryAction(personas, registry, resource, action, scenario)) rows.push(line)
    }
  }
  return `${HEADER}${textTable(rows)}`
}

async function tryAction(
  personas: Personas,
  registry: Registry,
  resource: Resource,
  action: string,
  scenario: Scenario,
) {
  const takesPayload = action === 'create' || action === 'update'
  const attempts = takesPayload ? [NOTHING, ...attemptsOf(registry, resource, scenario, action)] : [NOTHING]
  const lines: string[][] = []
  let id: number | undefined
  for (const attempt of attempts) {
    const cells: string[] = []
    for (const person of PEOPLE) {
      if (action !== 'create') id ??= await scenario.record(personas)
      const outcome = id === undefined ? await tryCreation(person, attempt) : await tryRecord(id, person, attempt)
      // A refused write leaves the record unchanged, so the next attempt uses it too.
      if (!/^4/.test(outcome)) id = undefined
      cells.push(outcome)
    }
    lines.push([resource.name, action, attempt.name, ...cells])
  }
  return lines

  async function tryCreation(person: Person, attempt: Attempt): Promise<string> {
    const needed = await scenario.creation(personas, person)
    const sent = { ...needed, ...(await attempt.payload({}, personas, person)) }
    const before = await totals(attempt)
    const answer = await personas.client[person].post(scenario.below?.(personas) ?? `/v2/${resource.name}`, {
      [resource.singular]: sent,
    })
    if (answer.status !== 201) return refused(answer)
    const made = resource.wrapped ? answer.json[resource.singular] : answer.json
    return compare(attempt, valueSent(attempt, sent), {}, await rowOf(personas, resource, made.id), before)
  }

  async function tryRecord(id: number, person: Person, attempt: Attempt): Promise<string> {
    const before = await rowOf(personas, resource, id)
    const counted = await totals(attempt)
    const sent = await attempt.payload(before, personas, person)
    const path = `/v2/${resource.name}/${id}`
    const client = personas.client[person]
    if (action === 'destroy') return done(await client.delete(path))
    if (action !== 'update') return done(await client.request(methodOf(resource, action), `${path}/${action}`, {}))
    const answer = await client.patch(path, { [resource.singular]: sent })
    if (answer.status !== 204) return refused(answer)
    return compare(attempt, valueSent(attempt, sent), before, await rowOf(personas, resource, id), counted)
  }

  /** Returns counts and newest rows of the tables that nested payloads write. */
  async function totals(attempt: Attempt): Promise<string> {
    if (attempt === NOTHING || (attempt.shownBy && !attempt.of)) return ''
    const { nested = {}, links = {} } = resource.payload ?? {}
    const tables = [
      ...Object.values(nested).map((one) => registry.get(one.resource).table),
      ...Object.values(links).map(({ table }) => table),
    ]
    if (tables.length === 0) return ''
    const parts = tables.map((table) => `select count(*), max(t::text) from "${table}" t`)
    return JSON.stringify(await personas.world.database.rows(parts.join(' union all ')))
  }

  async function compare(attempt: Attempt, sent: unknown, before: Row, after: Row, counted: string): Promise<string> {
    if (attempt === NOTHING) return 'ok'
    const hasMore = (await totals(attempt)) !== counted
    if (!attempt.shownBy) return hasMore ? 'written' : 'ignored'
    const column = (attempt.of ?? resource).stored(attempt.shownBy)?.column ?? attempt.shownBy
    const shown = attempt.of ? await newestRow(personas, attempt.of) : after
    if (attempt.of) return hasMore && same(shown[column], sent) ? 'written' : 'ignored'
    if (action === 'update' && same(before[column], sent)) return same(after[column], sent) ? 'as is' : 'moved'
    if (same(after[column], sent)) return 'written'
    return action === 'create' || same(after[column], before[column]) ? 'ignored' : 'moved'
  }
}

const NOTHING: Attempt = { name: '-', payload: async () => ({}) }

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

async function rowOf({ world }: Personas, { table }: Resource, id: number): Promise<Row> {
  const [row] = await world.database.rows(`select to_jsonb(t) from "${table}" t where id = $1`, [id])
  return row ? JSON.parse(row[0] as string) : {}
}

/** Returns the value sent for the attempt's field. */
function valueSent({ name, shownBy = '' }: Attempt, sent: Values): unknown {
  const [outer = '', inner] = name.split('.')
  return inner ? (sent[outer] as Values[])[0]?.[shownBy] : sent[shownBy]
}

async function newestRow(personas: Personas, { table }: Resource): Promise<Row> {
  const [row] = await personas.world.database.rows(`select to_jsonb(t) from "${table}" t order by id desc limit 1`)
  return row ? JSON.parse(row[0] as string) : {}
}

/** Returns an attempt for each field that a payload may hold. */
function attemptsOf(registry: Registry, resource: Resource, scenario: Scenario, action: string): Attempt[] {
  const { accepts = [], extra = {}, nested = {}, links = {}, pointed = {} } = resource.payload ?? {}
  assert.deepEqual(Object.keys(pointed), [], `test/support/own-writes.ts does not know how to try ${resource.name}`)
  const attempts: Attempt[] = accepts.flatMap((name) =>
    waysOf(registry, resource, name).map(({ suffix, valueFor }) => ({
      name: name + suffix,
      shownBy: name,
      async payload(row, personas, person) {
        // An update to another subject needs an id that differs from the record's.
        if (action === 'update' && suffix === '' && name.endsWith('_id')) {
          const fresh = (await scenario.creation(personas, person))[name]
          if (fresh !== undefined) return { [name]: fresh }
        }
        return { [name]: await valueFor(row, personas, person) }
      },
    })),
  )
  for (const name of Object.keys(extra)) attempts.push({ name, payload: async () => ({ [name]: null }) })
  for (const [name, { resource: of, atCreation, by }] of Object.entries(nested)) {
    if (atCreation && action !== 'create') continue
    const element = scenario.elements?.[name] ?? assert.fail(`add an element of ${name} to test/support/personas.ts`)
    attempts.push({ name, payload: async (_, personas) => ({ [name]: [await element(personas)] }) })
    const child = registry.get(of)
    for (const field of child.payload?.accepts.filter((one) => one !== by) ?? []) {
      for (const { suffix, valueFor } of waysOf(registry, child, field)) {
        attempts.push({
          name: `${name}.${field}${suffix}`,
          shownBy: field,
          of: child,
          async payload(_, personas, person) {
            const base = await element(personas)
            const value = suffix === '' ? base[field] : undefined
            return { [name]: [{ ...base, [field]: value ?? (await valueFor({}, personas, person)) }] }
          },
        })
      }
    }
  }
  for (const [name, { otherKey }] of Object.entries(links)) {
    const target = registry.get(LINKED[otherKey] ?? assert.fail(`add ${otherKey} to LINKED`))
    attempts.push({ name, payload: async (_, personas) => ({ [name]: [await otherId(personas, target, 0)] }) })
  }
  return attempts
}

/** Resources to which the columns of join tables refer. */
const LINKED: Readonly<Record<string, string>> = { tag_id: 'tags', cursus_id: 'cursus' }

const numbers = new Map<string, number>()

type Way = { readonly suffix: string; valueFor(row: Row, personas: Personas, person: Person): Promise<unknown> }

/** Returns ways to send a field with another value than the row's. */
function waysOf(registry: Registry, resource: Resource, name: string): readonly Way[] {
  const { kind, references, column } = resource.stored(name) ?? assert.fail(`${resource.name}.${name} has no column`)
  if (references === 'users') {
    // The attacker takes it for themselves, or does it in the name of somebody else.
    return [
      { suffix: '=me', valueFor: async (_, personas, person) => personas.id[person] },
      {
        suffix: '=you',
        valueFor: async (_, personas, person) => personas.id[person === 'owner' ? 'stranger' : 'owner'],
      },
    ]
  }
  return [{ suffix: '', valueFor: (row, personas) => otherValue(personas, row[column]) }]

  async function otherValue(personas: Personas, present: unknown): Promise<unknown> {
    if (references) return otherId(personas, registry.get(references), Number(present ?? 0))
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

async function otherId({ world }: Personas, { table }: Resource, present: number): Promise<number> {
  const [row] = await world.database.rows(`select max(id) from "${table}" where id <> $1`, [present])
  return Number(row?.[0])
}
