/** The pool gives connections to people in turn, so that one person's requests do not delay others. */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Batches } from '@campus/engine/database/batches'
import { Semaphore } from '@campus/engine/database/semaphore'
import { currentPerson, runForPerson } from '@campus/engine/database/turns'
import { campus, type World } from '@campus/test/support/campus'
import { testDatabase } from '@campus/test/support/database'
import { watch } from '@campus/test/support/event-stream'
import { signedInOf } from '@campus/test/support/people'
import { until } from '@campus/test/support/until'

const [ADA, BOB, EVE] = [1, 2, 3]
const BOUNDS = { permits: 1, maxWaiting: 1_000, milliseconds: 60_000 }

/** Returns the people for whom work asks for connections. */
async function acquiring(test: TestContext, work: () => Promise<unknown>): Promise<readonly (number | undefined)[]> {
  const people: (number | undefined)[] = []
  const { acquire } = Semaphore.prototype
  const mock = test.mock.method(Semaphore.prototype, 'acquire', function (this: Semaphore, person?: number) {
    people.push(person)
    return Reflect.apply(acquire, this, [person])
  })
  await work()
  mock.mock.restore()
  return people
}

/** Acquires permits for these people in order. Returns the order in which the permits were granted. */
async function admitted(people: readonly (number | undefined)[]): Promise<readonly (number | undefined)[]> {
  const semaphore = new Semaphore(BOUNDS)
  await semaphore.acquire(EVE)
  const order: (number | undefined)[] = []
  const acquired = people.map((person) => semaphore.acquire(person)?.then(() => order.push(person)))
  for (const _ of people) semaphore.release()
  await Promise.all(acquired)
  return order
}

describe('callers that wait for a connection', () => {
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
    const semaphore = new Semaphore({ ...BOUNDS, maxWaiting: 3 })
    await semaphore.acquire(ADA)
    const waiting = [ADA, BOB, undefined].map((person) => assert.rejects(async () => semaphore.acquire(person), /gone/))
    assert.equal(semaphore.length, 3)
    await assert.rejects(async () => semaphore.acquire(EVE))
    semaphore.refuseAll(new Error('gone'))
    await Promise.all(waiting)
    assert.equal(semaphore.length, 0)
    semaphore.release()
    assert.equal(semaphore.isFull, false)
  })

  it('are refused if they have the most waiting when too many wait', async () => {
    const semaphore = new Semaphore({ ...BOUNDS, maxWaiting: 4 })
    await semaphore.acquire(EVE)
    const refused: (number | undefined)[] = []
    const acquire = (person?: number) => semaphore.acquire(person)?.catch(() => refused.push(person))
    const acquired = [ADA, ADA, ADA, ADA, ADA, BOB, BOB, BOB, undefined, undefined].map(acquire)
    await setImmediate()
    assert.deepEqual(refused, [ADA, ADA, ADA, BOB, ADA, BOB])
    assert.equal(semaphore.length, 4)
    for (let number = 0; number < 4; number += 1) semaphore.release()
    await Promise.all(acquired)
    assert.equal(semaphore.length, 0)
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
    for (const ask of requests) assert.ok((await acquiring(test, ask)).includes(ada.id))
  })

  it('shares a statement with requests of others outside its turn', async () => {
    const batches = new Batches<number, unknown>(async (asked) => asked.map(currentPerson))
    const answers = [ADA, BOB].map((person) => runForPerson(person, () => batches.ask(person)))
    assert.deepEqual(await Promise.all(answers), [undefined, undefined])
  })
})

describe('a person whose queries wait for connections', { timeout: 60_000 }, () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  /**
   * Repeats the work of a person, and each time withholds another connection that the work asks for. Runs the work of others
   * meanwhile, which must succeed. Returns the number of connections that the work asks for.
   */
  async function beside(test: TestContext, ada: number, begin: () => Promise<unknown>, others: () => Promise<unknown>) {
    for (let refused = 1; ; refused += 1) {
      let asked = 0
      const { promise, resolve } = Promise.withResolvers<void>()
      const { acquire } = Semaphore.prototype
      const mock = test.mock.method(Semaphore.prototype, 'acquire', function (this: Semaphore, person?: number) {
        const isRefused = person === ada && ++asked === refused
        return isRefused
          ? promise.then(() => Reflect.apply(acquire, this, [person]))
          : Reflect.apply(acquire, this, [person])
      })
      let isDone = false
      const work = begin().finally(() => {
        isDone = true
      })
      try {
        await until(() => isDone || asked >= refused)
        if (asked >= refused) await others()
      } finally {
        resolve()
        await work
        mock.mock.restore()
      }
      if (asked < refused) return asked
    }
  }

  it('delays no events on streams of other people', async (test) => {
    const [ada, bob] = [await world.build.user(), await world.build.user()]
    const streamOf = async (user: number, path: string) => watch(world, await world.caller({ user }), path)
    const stream = await streamOf(bob, '/v2/languages')
    await stream.next()
    let number = 0
    await beside(
      test,
      ada,
      async () => (await streamOf(ada, '/v2/users?filter[id]=1,2')).close(),
      async () => {
        // The second change waits for everything that the first change waits for.
        for (let change = 0; change < 2; change += 1) {
          number += 1
          const language = { name: `Language ${number}`, identifier: `l${number}` }
          const { json } = await world.director.post('/v2/languages', { language })
          assert.equal((await stream.next())?.data.id, json.id)
        }
      },
    )
    stream.close()
  })

  it('delays no reads of the same address by other people', async (test) => {
    const [ada, bob] = [await world.build.user(), await world.build.user()]
    const [one, other] = [await world.caller({ user: ada }), await world.caller({ user: bob })]
    let number = 0
    const path = () => `/v2/languages?filter[name]=${number}`
    const asked = await beside(
      test,
      ada,
      () => {
        number += 1
        return one.get(path())
      },
      async () => assert.equal((await other.get(path())).status, 200),
    )
    assert.ok(asked > 0, `${asked} connections`)
  })

  it('delays no writes of other people while they read and write', async (test) => {
    const database = await testDatabase()
    test.after(() => database.close())
    let reads = 0
    const read = () => runForPerson(ADA, () => database.rows('select pg_sleep(0.02)')).then(() => (reads += 1))
    const write = (person: number) => runForPerson(person, () => database.transaction((tx) => tx.rows('select 1')))
    const ofAda = [...Array.from({ length: 400 }, read), ...Array.from({ length: 20 }, () => write(ADA))]
    await write(BOB)
    assert.ok(reads < 200, `${reads} reads came first`)
    await Promise.all(ofAda)
  })
})
