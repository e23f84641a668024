/** Programs that cannot be run here, call by call: what they send, in their order, and what they read of the answers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ROLES } from '@campus/intranet/access/roles'
import { campus, type World } from '../support/campus.ts'
import type { Client } from '../support/client.ts'
import { AWAITED, AWAITED_ADDRESSES } from './awaited.ts'
import type { Call } from './calls/call.ts'
import { PROGRAMS } from './calls/programs.ts'
import { assertReads } from './calls/reads.ts'
import { findSchool, type School } from './school.ts'

const NOW = '2026-03-02T10:00:00.000Z'

describe('the calls of', () => {
  let world: World
  let school: School
  before(async () => {
    world = await campus({ seeded: { users: 250, locations: 2000 }, now: NOW })
    school = await findSchool(world)
  })
  after(() => world.close())

  for (const program of PROGRAMS) {
    describe(program.name, () => {
      const remembered: Record<string, unknown> = {}
      const callers: Partial<Record<'application' | 'person', Promise<Client>>> = {}

      for (const [place, call] of program.calls.entries()) {
        const missing = awaitedOf(call)
        test(`${place + 1}. ${call.send}`, missing === undefined ? {} : { todo: missing }, async () => {
          const { roles = [], scopes = ['public'] } = program
          const who = call.as ?? 'application'
          // Roles that the service does not have yet are awaited.
          const known = roles.filter((role) => (ROLES as readonly string[]).includes(role))
          callers[who] ??= world.caller({ roles: known, scopes, ...(who === 'person' ? { user: school.person } : {}) })
          const answer = await sendCall(await callers[who], call, { ...school, ...remembered })
          if (call.reads !== undefined) assertReads(call.reads, answer, call.maybeNone)
          if (call.remembers !== undefined) remembered[call.remembers] = answer
        })
      }
    })
  }

  test('what programs await is awaited by some call, and not served yet', async () => {
    const { json } = await world.visitor.get('/v2/openapi.json')
    const served = Object.entries<object>(json.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, ':id')}`),
    )
    const strike = AWAITED_ADDRESSES.filter((address) => served.includes(address))
    assert.deepEqual(strike, [], `these are served: strike them from test/programs/awaited.ts`)
    const calls = PROGRAMS.flatMap((program) => program.calls)
    const called = new Set(calls.map(addressOf))
    assert.deepEqual(
      AWAITED_ADDRESSES.filter((address) => !called.has(address)),
      [],
    )
    assert.deepEqual(
      AWAITED.filter((need) => !calls.some(({ awaits }) => awaits === need)),
      [],
    )
  })
})

/** `GET /v2/users/:id/slots`: method and address with a mark for what names a record. */
function addressOf({ send }: Call): string {
  const [method, address = ''] = send.split(' ')
  return `${method} ${address
    .split('?', 1)[0]
    ?.replace(/\{[^}]*\}|(?<=\/)\d+(?=\/|$)/g, ':id')
    .replace(/\/$/, '')}`
}

function awaitedOf(call: Call): string | undefined {
  if (call.awaits !== undefined && AWAITED.includes(call.awaits)) return call.awaits
  const address = addressOf(call)
  return AWAITED_ADDRESSES.includes(address) ? address : undefined
}

/** Sends a call with the records filled in. Gives what was answered. */
async function sendCall(client: Client, call: Call, records: Readonly<Record<string, unknown>>): Promise<unknown> {
  const [method = '', ...words] = call.send.split(' ')
  const path = words.join(' ').replace(/\{([^}]+)\}/g, (_, name) => String(recordAt(records, name)))
  const body = call.body === undefined ? undefined : filled(call.body, records)
  const { status, text, json } = await client.request(method, path, { body })
  const usual = method === 'GET' ? 200 : method === 'POST' ? 201 : 204
  assert.equal(status, call.answers ?? usual, `${method} ${path}\n${text.slice(0, 600)}`)
  return json
}

/** A body with its records; a text that is nothing but one mark becomes what it stands for. */
function filled(body: unknown, records: Readonly<Record<string, unknown>>): unknown {
  if (typeof body === 'string') {
    const name = /^\{([^}]+)\}$/.exec(body)?.[1]
    return name === undefined ? body : recordAt(records, name)
  }
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return body.map((element) => filled(element, records))
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, filled(value, records)]))
}

function recordAt(records: unknown, name: string): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: a way into answers of every shape
  const found = name.split('.').reduce<any>((value, key) => value?.[key], records)
  assert.ok(found !== undefined, `nothing is known of ${name}`)
  return found
}
