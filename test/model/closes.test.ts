import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { callsMade } from '../support/calls-made.ts'
import { campus, type World } from '../support/campus.ts'
import { forgetDeliveries } from '../support/forget-deliveries.ts'

/** One close of the one person, as the model sees it; the service is the hours of work that it came with. */
type Close = { stands: boolean; service: 'schedule' | 'validated' | 'invalidated' }
type Model = {
  readonly closes: Close[]
  /** Expected entries of the audit log, the oldest first. */
  readonly audited: string[]
  readonly called: string[]
}

/** The person at the service, and the ids of their closes in the model's order. */
type Real = { readonly world: World; readonly user: number; readonly closes: Ids[] }
type Ids = { readonly close: number; readonly service: number }
type Command = fc.AsyncCommand<Model, Real>

const isActive = ({ closes }: Model) => !closes.some(({ stands }) => stands)

/** Returns the expected status of a request and the model after it. */
const move = (model: Model, close: Close, stands: boolean) => {
  if (close.stands === stands) return 422
  settle(model, () => {
    close.stands = stands
  })
  return 204
}

/** A change of the closes is recorded by what becomes of the account, and calls the campus for each close and for the account's opening. */
function settle(model: Model, change: () => void): void {
  const inForce = () => model.closes.filter(({ stands }) => stands).length
  const before = inForce()
  change()
  const after = inForce()
  if (after > before) {
    model.audited.push(before === 0 ? 'account_closed' : 'close_added')
    model.called.push('closed')
  }
  if (after < before) model.audited.push(after === 0 ? 'account_unclosed' : 'close_lifted')
  if (after < before && after === 0) model.called.push('unclosed')
}

const conclude = (close: Close, state: Close['service']) => {
  if (close.service !== 'schedule') return 422
  close.service = state
  return 204
}

type Action = {
  readonly name: string
  expect(close: Close, model: Model): number
  request(ids: Ids): readonly [method: string, path: string, body?: object]
}
const ACTIONS: readonly Action[] = [
  {
    name: 'unclose',
    expect: (close, model) => move(model, close, false),
    request: ({ close }) => ['PATCH', `/v2/closes/${close}/unclose`],
  },
  {
    name: 'close again',
    expect: (close, model) => move(model, close, true),
    request: ({ close }) => ['PUT', `/v2/closes/${close}/close`],
  },
  {
    name: 'set the state unclose',
    expect: (close, model) => move(model, close, false),
    request: ({ close }) => ['PATCH', `/v2/closes/${close}`, { close: { state: 'unclose' } }],
  },
  {
    name: 'set the state close',
    expect: (close, model) => move(model, close, true),
    request: ({ close }) => ['PATCH', `/v2/closes/${close}`, { close: { state: 'close' } }],
  },
  {
    name: 'validate',
    expect: (close) => conclude(close, 'validated'),
    request: ({ service }) => ['PATCH', `/v2/community_services/${service}/validate`],
  },
  {
    name: 'invalidate',
    expect: (close) => conclude(close, 'invalidated'),
    request: ({ service }) => ['PATCH', `/v2/community_services/${service}/invalidate`],
  },
]

class OpenClose implements Command {
  check = ({ closes }: Readonly<Model>) => closes.length < 4
  toString = () => 'create'

  async run(model: Model, { world, user, closes }: Real) {
    settle(model, () => model.closes.push({ stands: true, service: 'schedule' }))
    const payload = { kind: 'other', reason: 'Because', community_services_attributes: [{ duration: 7200 }] }
    const response = await world.staff.post(`/v2/users/${user}/closes`, { close: payload })
    assert.equal(response.status, 201, response.text)
    closes.push({ close: response.json.id, service: response.json.community_services[0].id })
    await agree(model, { world, user, closes })
  }
}

class Act implements Command {
  readonly #nth: number
  readonly #action: Action

  constructor(nth: number, action: Action) {
    this.#nth = nth
    this.#action = action
  }

  check = ({ closes }: Readonly<Model>) => closes.length > 0
  toString = () => `${this.#action.name} #${this.#nth}`

  async run(model: Model, real: Real) {
    const place = this.#nth % model.closes.length
    const expected = this.#action.expect(model.closes[place] as Close, model)
    const [method, path, body] = this.#action.request(real.closes[place] as Ids)
    const response = await real.world.staff.request(method, path, { body })
    assert.equal(response.status, expected, `${method} ${path}: ${response.text}`)
    await agree(model, real)
  }
}

class Destroy implements Command {
  readonly #nth: number

  constructor(nth: number) {
    this.#nth = nth
  }

  check = ({ closes }: Readonly<Model>) => closes.length > 0
  toString = () => `destroy #${this.#nth}`

  async run(model: Model, real: Real) {
    const place = this.#nth % model.closes.length
    settle(model, () => model.closes.splice(place, 1))
    const [gone] = real.closes.splice(place, 1) as [Ids]
    const path = `/v2/closes/${gone.close}`
    assert.equal((await real.world.director.delete(path)).status, 204)
    assert.equal((await real.world.director.delete(path)).status, 404)
    assert.equal((await real.world.staff.get(`/v2/community_services/${gone.service}`)).status, 404)
    await agree(model, real)
  }
}

/** The service shows the user and their closes as the model does. */
async function agree(model: Model, { world, user, closes }: Real): Promise<void> {
  const [person] = (await world.staff.get(`/v2/users?filter[id]=${user}`)).json
  assert.equal(person['active?'], isActive(model))
  const listed = (await world.staff.get(`/v2/users/${user}/closes?sort=id`)).json
  assert.deepEqual(
    listed.map(({ id, state, community_services: [service] }: Listed) => [id, state, service.state]),
    model.closes.map(({ stands, service }, place) => [closes[place]?.close, stands ? 'close' : 'unclose', service]),
  )
  const column = async (statement: string) => (await world.database.rows(statement, [user])).flat()
  await callsMade(world.database)
  assert.deepEqual(await column('select kind from audit_events where subject_id = $1 order by id'), model.audited)
  assert.deepEqual(await column('select event from deliveries where user_id = $1 order by id'), model.called)
}
type Listed = { id: number; state: string; community_services: readonly [{ state: string }] }

describe('closing accounts, by the model', () => {
  let world: World
  let campusId: number

  before(async () => {
    world = await campus()
    const endpoint_id = await world.build.record('endpoints', { url: 'https://127.0.0.1:9/hooks', active: true })
    campusId = await world.build.campus({ endpoint_id })
  })
  after(() => world.close())

  it('ends as the model says, whatever is done in whatever order', async () => {
    const nth = fc.nat({ max: 3 })
    const commands = fc.commands(
      [
        fc.constant(new OpenClose()),
        fc.tuple(nth, fc.constantFrom(...ACTIONS)).map(([place, action]) => new Act(place, action)),
        nth.map((place) => new Destroy(place)),
      ],
      { maxCommands: 15, size: 'max' },
    )
    const property = fc.asyncProperty(commands, async (sequence) => {
      const user = await world.build.user()
      await world.build.record('campus_users', { user_id: user, campus_id: campusId, is_primary: true })
      await forgetDeliveries(world.database)
      const model = { closes: [], audited: [], called: [] }
      await fc.asyncModelRun(() => ({ model, real: { world, user, closes: [] } }), sequence)
    })
    await fc.assert(property, { numRuns: 30, seed: 42 })
  })
})
