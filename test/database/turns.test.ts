/** Connections are given to people in turn, so that one person's requests do not delay others. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Batches } from '../../src/database/batches.ts'
import { Semaphore } from '../../src/database/semaphore.ts'
import { inTurnOf, requestingPerson } from '../../src/database/turns.ts'
import { campus } from '../support/campus.ts'
import { signedInOf } from '../support/people.ts'

const [ADA, BOB, EVE] = [1, 2, 3]
const BOUNDS = { room: 1, maxWaiting: 1_000, milliseconds: 60_000 }

/** The people for whom connections are asked for during this work. */
async function entering(test: TestContext, work: () => Promise<unknown>): Promise<readonly (number | undefined)[]> {
  const people: (number | undefined)[] = []
  const { enter } = Semaphore.prototype
  const mock = test.mock.method(Semaphore.prototype, 'enter', function (this: Semaphore, person?: number) {
    people.push(person)
    return Reflect.apply(enter, this, [person])
  })
  await work()
  mock.mock.restore()
  return people
}

/** Enters for these people in order. Returns the order in which they were admitted. */
async function admitted(people: readonly (number | undefined)[]): Promise<readonly (number | undefined)[]> {
  const line = new Semaphore(BOUNDS)
  await line.enter(EVE)
  const order: (number | undefined)[] = []
  const entered = people.map((person) => line.enter(person)?.then(() => order.push(person)))
  for (const _ of people) line.leave()
  await Promise.all(entered)
  return order
}

describe('those who wait for a connection', () => {
  it('take turns by person', async () => {
    const order = await admitted([...Array(100).fill(ADA), BOB, EVE, BOB])
    assert.deepEqual(order.slice(0, 6), [ADA, BOB, EVE, ADA, BOB, ADA])
    assert.equal(order.length, 103)
  })

  it('keep their order if they wait for no person', async () => {
    const order = await admitted([ADA, ADA, undefined, undefined])
    assert.deepEqual(order, [ADA, undefined, undefined, ADA])
  })

  it('are all counted, and forgotten when they give up', async () => {
    const line = new Semaphore({ ...BOUNDS, maxWaiting: 3 })
    await line.enter(ADA)
    const waiting = [ADA, BOB, undefined].map((person) => assert.rejects(async () => line.enter(person), /gone/))
    assert.equal(line.length, 3)
    await assert.rejects(async () => line.enter(EVE))
    line.refuseAll(new Error('gone'))
    await Promise.all(waiting)
    assert.equal(line.length, 0)
    line.leave()
    assert.equal(line.isFull, false)
  })

  it('are refused if they have the most waiting when too many wait', async () => {
    const line = new Semaphore({ ...BOUNDS, maxWaiting: 4 })
    await line.enter(EVE)
    const refused: (number | undefined)[] = []
    const enter = (person?: number) => line.enter(person)?.catch(() => refused.push(person))
    const entered = [ADA, ADA, ADA, ADA, ADA, BOB, BOB, BOB, undefined, undefined].map(enter)
    await setImmediate()
    assert.deepEqual(refused, [ADA, ADA, ADA, BOB, ADA, BOB])
    assert.equal(line.length, 4)
    for (let number = 0; number < 4; number += 1) line.leave()
    await Promise.all(entered)
    assert.equal(line.length, 0)
  })
})

describe('a request', () => {
  it('waits in the turn of its person, also after its body was read and on pages', async (test) => {
    const world = await campus()
    test.after(() => world.close())
    const ada = await signedInOf(world)
    const scopes = ['public', 'forum']
    const [one, other] = [await world.caller({ user: ada.id, scopes }), await world.caller({ user: ada.id, scopes })]
    const requests = [
      () => one.get('/v2/languages'),
      () => other.post('/v2/topics', { topic: { name: 'Turns' } }),
      () => ada.browser.get('/notifications'),
    ]
    for (const ask of requests) assert.ok((await entering(test, ask)).includes(ada.id))
  })

  it('shares a statement with requests of others outside its turn', async () => {
    const batches = new Batches<number, unknown>(async (asked) => asked.map(requestingPerson))
    const answers = [ADA, BOB].map((person) => inTurnOf(person, () => batches.ask(person)))
    assert.deepEqual(await Promise.all(answers), [undefined, undefined])
  })
})
