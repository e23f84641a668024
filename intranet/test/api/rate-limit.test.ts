import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test'
import { HttpError } from '@campus/engine/errors'
import { RateLimits, type RateState } from '@campus/engine/http/rate-limit'
import { MemoryRates } from '@campus/engine/http/rates/memory-rates'
import { createApplication } from '@campus/test/support/application'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { type Client, clientOf, type Response } from '@campus/test/support/client'
import { issueToken } from '../../oauth/tokens.ts'

let world: World
before(async () => {
  world = await openCampus()
})
after(() => world.close())

type Options = { readonly roles?: readonly string[]; readonly perSecond?: number; readonly perHour?: number }

/** An application as an operator registers it, and as many tokens of it as are asked for. */
async function application({ roles = [], perSecond, perHour }: Options, tokens = 1): Promise<Client[]> {
  const { id } = await world.database.transaction((tx) =>
    createApplication(tx, { name: 'Limited', roles, rate_per_second: perSecond, rate_per_hour: perHour }),
  )
  const clients: Client[] = []
  for (let number = 0; number < tokens; number += 1) {
    const grant = { applicationId: id, resourceOwnerId: null, scopes: ['public'] }
    clients.push(clientOf(world, (await issueToken(world.database, world.clock, grant)).token))
  }
  return clients
}

const one = async (options: Options) => (await application(options))[0] as Client
/** Limits by the hour alone, so that no test depends on its speed. */
const hourly = (perHour: number, roles: readonly string[] = []) => one({ perSecond: 1_000_000, perHour, roles })

const call = (client: Client, path = '/v2/languages') => client.get(path)
const numberOf = ({ headers }: Response, name: string) => Number(headers.get(name))
const hourOf = (response: Response) =>
  ['limit', 'remaining'].map((name) => numberOf(response, `x-hourly-ratelimit-${name}`))
const secondOf = (response: Response) =>
  ['limit', 'remaining'].map((name) => numberOf(response, `x-secondly-ratelimit-${name}`))

async function statuses(client: Client, times: number): Promise<number[]> {
  const found: number[] = []
  for (let time = 0; time < times; time += 1) found.push((await call(client)).status)
  return found
}

describe('the rate of an application', () => {
  for (const [what, options, perSecond, perHour] of [
    ['is 2 a second and 1200 an hour', {}, 2, 1200],
    ['is 10 and 12 000 for an Official App', { roles: ['Official App'] }, 10, 12_000],
    ['is 50 and 60 000 for a Certified App', { roles: ['Certified App'] }, 50, 60_000],
    ['is the larger one of two roles', { roles: ['Official App', 'Certified App'] }, 50, 60_000],
    ['is not changed by other roles', { roles: ['Advanced Staff', 'Moderator'] }, 2, 1200],
    ['may be its own', { perSecond: 7, perHour: 77 }, 7, 77],
    ['may be its own and lower than that of its role', { roles: ['Certified App'], perSecond: 1, perHour: 3 }, 1, 3],
    ['may be its own for the second alone', { roles: ['Official App'], perSecond: 99 }, 99, 12_000],
    ['may be its own for the hour alone', { perHour: 9 }, 2, 9],
  ] as const) {
    it(what, async () => {
      const response = await call(await one(options))
      assert.deepEqual(hourOf(response), [perHour, perHour - 1])
      assert.deepEqual(secondOf(response), [perSecond, perSecond - 1])
    })
  }
})

describe('the headers', () => {
  it('count the hour down with every call, refusals included', async () => {
    const client = await hourly(100)
    for (const [path, status, remaining] of [
      ['/v2/languages', 200, 99],
      ['/v2/endpoints', 403, 98],
      ['/v2/users/2147483647', 404, 97],
      ['/v2/users?page=0', 400, 96],
      ['/v2/users/graph/on/wallet', 422, 95],
    ] as const) {
      const response = await call(client, path)
      assert.deepEqual([response.status, hourOf(response)], [status, [100, remaining]])
    }
  })

  it('say the default, untouched, where no application is known', async () => {
    for (const response of [
      await call(world.anonymous),
      await world.anonymous.get('/v2/nothing'),
      await world.anonymous.get('/v2/languages', { authorization: 'Bearer nonsense' }),
    ]) {
      assert.deepEqual(
        [hourOf(response), secondOf(response)],
        [
          [1200, 1200],
          [2, 2],
        ],
      )
    }
  })
})

describe('a call over the rate of a second', () => {
  it('is refused with 429 in JSON, told to wait a second, and does not burn the hour', async () => {
    const client = await one({ perSecond: 1, perHour: 1000 })
    const answers = await Promise.all(Array.from({ length: 40 }, () => call(client)))
    const served = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status !== 200)
    assert.ok(refused.length > 0)
    for (const response of refused) {
      assert.equal(response.status, 429)
      assert.equal(response.headers.get('retry-after'), '1')
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.deepEqual(secondOf(response), [1, 0])
      assert.deepEqual(response.json, {
        error: 'Too Many Requests',
        message:
          '429 Too Many Requests (Spam Rate Limit Exceeded): ' +
          'this application may make 1 a second. Try again in 1 second.',
      })
    }
    const lowest = Math.min(...answers.map((response) => hourOf(response)[1] as number))
    assert.equal(lowest, 1000 - served.length)
  })

  it('makes nothing', async () => {
    const client = await one({ roles: ['Advanced Staff'], perSecond: 1 })
    const create = (index: number) =>
      client.post('/v2/languages', { language: { name: 'Irish', identifier: `r${index}` } })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index)))
    const created = answers.filter(({ status }) => status === 201).length
    assert.equal(answers.filter(({ status }) => status === 429).length, 20 - created)
    const { headers } = await world.visitor.get('/v2/languages?filter[name]=Irish')
    assert.equal(headers.get('x-total'), String(created))
  })
})

describe('a call over the rate of an hour', () => {
  it('is refused with 429, and told how many seconds to wait', async () => {
    const client = await hourly(2)
    assert.deepEqual(await statuses(client, 2), [200, 200])
    const response = await call(client)
    assert.deepEqual([response.status, hourOf(response)], [429, [2, 0]])
    const wait = response.headers.get('retry-after') ?? ''
    assert.match(wait, /^[1-9]\d*$/)
    assert.deepEqual(response.json, {
      error: 'Too Many Requests',
      message:
        `429 Too Many Requests (Rate Limit Exceeded): this application may make 2 an hour. ` +
        `Try again in ${wait} seconds.`,
    })
  })

  it('is refused however many come at once', async () => {
    const client = await hourly(10)
    const answers = await Promise.all(Array.from({ length: 40 }, () => call(client)))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    assert.deepEqual([count(200), count(429)], [10, 30])
  })
})

describe('a limit', () => {
  it('is that of the application, whichever of its tokens is used', async () => {
    const limits = { perSecond: 1_000_000, perHour: 2 }
    const [first, second, third] = (await application(limits, 3)) as [Client, Client, Client]
    assert.deepEqual(await statuses(first, 1), [200])
    assert.deepEqual(await statuses(second, 1), [200])
    assert.deepEqual(await statuses(third, 1), [429])
    assert.deepEqual(hourOf(await call(first)), [2, 0])
  })

  it('is that of one application: another one has its own', async () => {
    const [loud, quiet] = [await hourly(1), await hourly(1)]
    assert.deepEqual(await statuses(loud, 3), [200, 429, 429])
    assert.deepEqual(await statuses(quiet, 2), [200, 429])
  })

  it('counts a token in the query string like one in a header', async () => {
    const client = await hourly(1)
    assert.equal((await world.anonymous.get(`/v2/languages?access_token=${client.token}`)).status, 200)
    assert.deepEqual(await statuses(client, 1), [429])
  })

  it('counts HEAD and unknown paths, and neither preflights nor OAuth endpoints', async () => {
    const client = await hourly(3)
    const preflight = { origin: 'https://app.test', 'access-control-request-method': 'GET' }
    await client.request('OPTIONS', '/v2/languages', { headers: preflight })
    await client.get('/oauth/token/info')
    await client.get('/v2/nothing')
    assert.deepEqual(hourOf(await client.request('HEAD', '/v2/languages')), [3, 1])
    assert.deepEqual(await statuses(client, 2), [200, 429])
  })

  it('is not spent by a token that is no longer good', async () => {
    const [expired, fresh] = (await application({ perSecond: 1_000_000, perHour: 1 }, 2)) as [Client, Client]
    world.clock.advance(7200)
    const refused = await statuses(expired, 5)
    world.clock.advance(-7200)
    assert.deepEqual(refused, [401, 401, 401, 401, 401])
    assert.deepEqual(await statuses(fresh, 2), [200, 429])
  })
})

describe('the passing of time', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date', 'setTimeout'] }))
  afterEach(() => mock.timers.reset())

  /** Calls, and returns the remaining requests of the second and the hour, or the seconds to wait. */
  function caller({ perSecond, perHour }: { perSecond: number; perHour: number }) {
    const limits = new RateLimits(new MemoryRates(() => Date.now()))
    const app = { id: 1, uid: 'u', name: 'Limited', roles: [], ratePerSecond: perSecond, ratePerHour: perHour }
    return async () => {
      let state: RateState | undefined
      try {
        await limits.spend(app, (found) => {
          state = found
        })
        return [state?.secondlyRemaining, state?.hourlyRemaining]
      } catch (error) {
        assert.ok(error instanceof HttpError)
        return `${error.status}: ${error.headers['Retry-After']}`
      }
    }
  }

  it('refills the second evenly while the hour goes on', async () => {
    const spend = caller({ perSecond: 2, perHour: 100 })
    assert.deepEqual(
      [await spend(), await spend(), await spend(), await spend()],
      [[1, 99], [0, 98], [0, 97], '429: 1'],
    )
    mock.timers.tick(499)
    assert.equal(await spend(), '429: 1')
    mock.timers.tick(1)
    assert.deepEqual(await spend(), [0, 96])
    mock.timers.tick(1500)
    assert.deepEqual(await spend(), [1, 95])
  })

  it('starts the hour again, and tells until then how long it takes', async () => {
    const spend = caller({ perSecond: 100, perHour: 2 })
    assert.deepEqual(
      [await spend(), await spend()],
      [
        [99, 1],
        [98, 0],
      ],
    )
    assert.equal(await spend(), '429: 3600')
    mock.timers.tick(600_000)
    assert.equal(await spend(), '429: 3000')
    mock.timers.tick(2_999_000)
    assert.equal(await spend(), '429: 1')
    mock.timers.tick(1000)
    assert.deepEqual(await spend(), [99, 1])
  })

  it('leaves the hour as it is while calls are refused for their second', async () => {
    const spend = caller({ perSecond: 1, perHour: 4 })
    assert.deepEqual(await spend(), [0, 3])
    for (const left of [2, 1, 0]) {
      assert.deepEqual(await spend(), [0, left])
      for (let time = 0; time < 20; time += 1) assert.equal(await spend(), '429: 1')
      mock.timers.tick(1000)
    }
    assert.equal(await spend(), '429: 3597')
  })
})
