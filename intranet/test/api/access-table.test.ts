import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import {
  ACCESS_FILE,
  actionOf,
  CALLERS,
  type CallerName,
  isScope,
  type Line,
  readAccessTable,
} from '@campus/test/support/access-table'
import { type AccessWorld, accessWorld } from '@campus/test/support/access-world'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { declaredAccess } from '@campus/test/support/declared-access'
import { requiredQuery } from '@campus/test/support/required-query'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()
const routes = routeTable(registry)
const table = readAccessTable()

const isOf =
  ({ resource, actions }: Line) =>
  (route: Route) =>
    route.resource.name === resource && actions.includes(actionOf(route))

const MISSING = 2_147_483_646
/** Callers who may not write are refused before the body is read. Reading this one would be a 400. */
const UNREADABLE = '{"'
const JSON_TYPE = { 'content-type': 'application/json' }

it('the access table is what the declarations say: npm run generate -- access', () => {
  assert.deepEqual(readFileSync(ACCESS_FILE, 'utf8').split('\n'), declaredAccess(registry).split('\n'))
})

describe('each caller gets what the access table says:', () => {
  let world: World
  let school: AccessWorld
  /** Digest of all records, or undefined if they may have changed since. */
  let state: string | undefined

  before(async () => {
    world = await campus({ seeded: true })
    school = await accessWorld(world, registry)
  })
  after(() => world.close())

  // Owners delete theirs, and with them what belongs to them, which the index names later.
  const lines = [...table.filter((line) => !line.isForOwners), ...table.filter((line) => line.isForOwners).toReversed()]
  for (const line of lines) {
    it(line.title, async () => {
      const isLast = ({ action }: Route) => action === 'destroy'
      const found = routes.filter(isOf(line)).toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)))
      const writes = found.some(({ method }) => method !== 'GET')
      if (writes) state ??= await school.fingerprint()
      for (const route of found) await refuseAll(route, line)
      if (writes) assert.equal(await school.fingerprint(), state, 'a refused request has changed something')
      for (const route of found) await allowAll(route, line)
      // Only owners change anything.
      if (line.isForOwners) state = undefined
    })
  }

  it("a closed user's details: 401 to themselves, 403 to all but Basic Staff", async () => {
    const user_id = await world.build.user({ closed_at: world.clock.now() })
    const path = `/v2/users/${user_id}`
    const themselves = await world.caller({ user: user_id })
    assert.equal((await themselves.get(path)).status, 401)
    for (const name of ['public', 'other', 'tutor'] as const) {
      assertRefusal(await (await school.caller(name)).get(path), ['Basic Staff'], name)
    }
    for (const role of ['Advanced Staff', 'Basic Staff']) {
      assert.equal((await (await school.holder(role)).get(path)).status, 200)
    }
  })

  /** Asks as all callers whom the line refuses, for an existing record. */
  async function refuseAll(route: Route, line: Line): Promise<void> {
    const wants = [...line.roles, ...line.scopes.map((scope) => `[${scope}]`), ...(line.isForOwners ? [OWNERS] : [])]
    for (const name of CALLERS) {
      const cell = line.cells[name]
      const who = `${route.method} ${route.path} as ${name}`
      if (cell === '401') {
        const { status, headers } = await ask(route, await school.caller(name), UNREADABLE)
        assert.equal(status, 401, who)
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer realm="[^"]+"$/, who)
      } else if (cell === '403') {
        const isInOwnersName = name === 'other' && line.isForOwners && route.action === 'create'
        const body = isInOwnersName ? school.inOwnersName(route) : UNREADABLE
        assertRefusal(await ask(route, await school.caller(name), body), wants, who)
      } else if (cell === '404') {
        const { status, json, text } = await ask(route, await school.caller(name), {})
        if (route.action === 'index') assert.deepEqual([status, json], [200, []], who)
        else assert.equal(status, 404, `${who}: ${text.slice(0, 300)}`)
      } else if (isScope(cell)) {
        const response = await ask(route, await school.caller(name, { without: cell }), UNREADABLE)
        assertRefusal(response, [`[${cell}]`], `${who} without the scope`)
        const challenge = response.headers.get('www-authenticate') ?? ''
        assert.match(challenge, new RegExp(`error="insufficient_scope".*scope="${cell}"`), who)
      }
    }
    for (const role of line.roles.filter((name) => name.startsWith('Advanced '))) {
      const lesser = role.replace('Advanced', 'Basic')
      assertRefusal(await ask(route, await school.holder(lesser), UNREADABLE), wants, `${route.path} as ${lesser}`)
    }
  }

  /**
   * Asks as all callers whom the line allows. No record is made: a payload without its wrapper is 400 and a missing
   * record 404, as a payload that names none is 422, each of which shows that the access was granted first. Only owners
   * may delete their own.
   */
  async function allowAll(route: Route, line: Line): Promise<void> {
    for (const name of CALLERS.filter((caller) => !['401', '403', '404'].includes(line.cells[caller]))) {
      await allow(route, await school.caller(name), { name, line })
      // An application without roles or more scopes than public was the least of them already.
      if (line.cells[name] !== 'ok' || line.cells.public === 'ok') continue
      await allow(route, await school.caller(name, { only: ['public'] }), { name: `${name}, public only`, line })
    }
    for (const role of line.roles) await allow(route, await school.holder(role), { name: role, line })
  }

  async function allow(route: Route, client: Client, { name, line }: { name: CallerName | string; line: Line }) {
    const isTaken = (route.action === 'destroy' || route.action === 'member') && !route.namedBy
    // A record is deleted once.
    const isReal = !isTaken || (name === 'own' && line.isForOwners && route.chain.length === 0)
    const { status, text } = await ask(route, client, {}, isReal ? undefined : MISSING)
    const expected = statusesOf(route, isReal)
    assert.ok(expected.includes(status), `${route.method} ${route.path} as ${name}: ${status} ${text.slice(0, 300)}`)
  }

  const ask = (route: Route, client: Client, body: object | string, id?: number): Promise<Response> =>
    route.method === 'GET'
      ? client.get(`${school.pathOf(route)}?${requiredQuery(route)}per_page=1`)
      : client.request(route.method, school.pathOf(route, id), { body, headers: JSON_TYPE })
})

/** Returns the statuses that an authorized caller may get. */
function statusesOf({ action, chain, me, method, namedBy }: Route, isReal: boolean): readonly number[] {
  // Applications act for no user, and a record need not belong to the first of its parents.
  if (method === 'GET') return me || chain.length > 0 ? [200, 404] : [200]
  // Nothing sent asks for everything.
  if (action === 'search') return [200]
  if (namedBy) return [422]
  if (action === 'destroy' || action === 'member') return isReal ? [204, 422] : [404]
  return chain.length > 0 ? [400, 404] : [400]
}

/** How it is said that a record belongs to others. */
const OWNERS = ' only.'

/** 403 in JSON that names something of what would be needed. */
function assertRefusal({ status, json, text }: Response, wants: readonly string[], who: string): void {
  assert.equal(status, 403, `${who}: ${text.slice(0, 300)}`)
  assert.ok(
    wants.some((want) => json.message.includes(want)),
    `${who} is not told of ${wants.join(' or ')}: ${json.message}`,
  )
}
