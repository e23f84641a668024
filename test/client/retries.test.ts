/** Tests the typed client against a service that fails and callers that cancel. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import {
  BadRequestError,
  CampusError,
  type CampusOptions,
  ConflictError,
  ConnectionError,
  campusClient,
  RateLimitError,
  TimeoutError,
  UnavailableError,
} from '../../clients/typescript/src/index.ts'
import { Retries, retryLimits } from '../../clients/typescript/src/retries.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { ELSEWHERE, type FailingService, failingService, TOKEN } from './failing-service.ts'
import { frozenTimer, trustingFetch } from './stand-ins.ts'

describe('the typed client and a service that fails', () => {
  let service: FailingService
  const closers: (() => Promise<void>)[] = []
  before(async () => {
    service = await failingService()
  })
  after(async () => {
    for (const close of closers) await close()
    await service.close()
  })

  /** A client without types, since its addresses say how they fail. */
  function clientWith(options: Partial<CampusOptions> = {}) {
    const { fetch, close } = trustingFetch(service.ca)
    closers.push(close)
    const timer = frozenTimer()
    const credentials = { url: service.url, clientId: 'a', clientSecret: 'a-secret-of-a-test' }
    const client = campusClient({ ...credentials, fetch, timer, ...options })
    const untyped = client as unknown as Record<string, (path: string, init: object) => Promise<unknown>>
    const call = async (method: 'get' | 'post' | 'patch', path: string, init: object = {}) =>
      untyped[method]?.(path, init)
    return { client, call, timer }
  }
  const count = (path: string) => service.requests(path).length
  const keysOf = (path: string) => service.requests(path).map(({ headers }) => headers['idempotency-key'])
  const DONE = { done: true }

  test('a read comes through connections that break and gateways that have nobody behind them', async () => {
    const path = service.path('drop', 'cut', '502', '504', '200')
    const { call, timer } = clientWith()
    assert.deepEqual(await call('get', path), DONE)
    assert.equal(count(path), 5)
    const waits = timer.waits.filter((wait) => wait > 0)
    assert.ok(waits.length >= 4)
  })

  test('waits as long as the service says, and up to half a second, a second, two … more', async () => {
    const path = service.path('503~7', '503', '503~9', '200')
    const { call, timer } = clientWith()
    assert.deepEqual(await call('get', path), DONE)
    // Shorter waits are pauses for the rate, or the default pause without `Retry-After`.
    const [first = 0, third = 0, ...others] = timer.waits.filter((wait) => wait > 1500)
    assert.ok(first >= 7000 && first <= 7500, `${timer.waits}`)
    assert.ok(third >= 9000 && third <= 11_000, `${timer.waits}`)
    assert.deepEqual(others, [])
  })

  test('waits any time up to the bound, which doubles up to 30 seconds', () => {
    const waitsOf = () => {
      const retries = new Retries(retryLimits({ retries: 9, maxElapsedSeconds: 1e9 }), true, frozenTimer())
      return Array.from({ length: 9 }, () => retries.waitAfter(new ConnectionError('cut')) ?? -1)
    }
    const rounds = Array.from({ length: 200 }, waitsOf)
    for (const [at, bound] of [0.5, 1, 2, 4, 8, 16, 30, 30, 30].entries()) {
      const waits = rounds.map((round) => round[at] ?? -1)
      assert.ok(Math.min(...waits) >= 0 && Math.max(...waits) <= bound)
      assert.ok(Math.min(...waits) < bound / 4 && Math.max(...waits) > (bound * 3) / 4, `${at}`)
    }
  })

  test('a creation is sent again with the same key, and waits for the first one where that is still at work', async () => {
    const path = service.path('drop', '409', '503~1', '200')
    const { call } = clientWith()
    assert.deepEqual(await call('post', path, { body: {} }), DONE)
    const keys = keysOf(path)
    assert.deepEqual([keys.length, new Set(keys).size], [4, 1])
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
    const other = service.path('200')
    await call('post', other, { body: {} })
    assert.notEqual(keysOf(other)[0], keys[0])
  })

  test('a conflict that no attempt of its own explains is thrown', async () => {
    const path = service.path('409', '200')
    await assert.rejects(clientWith().call('post', path, { body: {} }), ConflictError)
    assert.equal(count(path), 1)
  })

  test('a change is not sent again where it may have been done, and is where it was refused for the rate', async () => {
    for (const step of ['drop', 'cut', '503~1', '502']) {
      const path = service.path(step, '204')
      await assert.rejects(clientWith().call('patch', path, { body: {} }), Error)
      assert.equal(count(path), 1, step)
    }
    const path = service.path('429~1', '204')
    assert.equal(await clientWith().call('patch', path, { body: {} }), undefined)
    assert.equal(count(path), 2)
  })

  test('a change is sent again where no connection was made', async () => {
    const port = await freePort()
    let waits = 0
    const { fetch, close } = trustingFetch(service.ca)
    closers.push(close)
    let isUp = false
    const path = service.path('204')
    // Until the first wait nobody listens there.
    const moving = (request: Request) =>
      fetch(isUp ? request : new Request(request.url.replace(service.url, `https://localhost:${port}`), request))
    const timer = frozenTimer()
    const wait = timer.wait.bind(timer)
    timer.wait = async (milliseconds, signal) => {
      waits += 1
      isUp = true
      return wait(milliseconds, signal)
    }
    const { call } = clientWith({ fetch: moving, timer })
    assert.equal(await call('patch', path, { body: {} }), undefined)
    assert.deepEqual([count(path), waits >= 1], [1, true])
  })

  test('what another try would not mend is thrown at once', async () => {
    for (const step of ['400', '403', '404', '422', '500']) {
      const path = service.path(step, '200')
      await assert.rejects(clientWith().call('get', path), (error) => {
        assert.ok(error instanceof CampusError)
        assert.deepEqual([error.status, error.attempts, error.body.message], [Number(step), 1, `Step ${step}`])
        return true
      })
      assert.equal(count(path), 1)
    }
  })

  test('gives up after as many retries as are allowed, of the client or of the call, and says how often it was sent', async () => {
    for (const [options, init, expected] of [
      [{}, {}, 5],
      [{ retries: 2 }, {}, 3],
      [{ retries: 2 }, { retries: 1 }, 2],
      [{}, { retries: 0 }, 1],
    ] as const) {
      const [refused, broken] = [service.path('503'), service.path('drop')]
      const { call } = clientWith(options)
      await assert.rejects(call('get', refused, init), (error) => {
        assert.ok(error instanceof UnavailableError)
        assert.deepEqual([error.attempts, error.requestId], [expected, 'request-of-a-test'])
        return true
      })
      await assert.rejects(call('get', broken, init), (error) => {
        assert.ok(error instanceof ConnectionError)
        assert.deepEqual([error.attempts, error.wasSent], [expected, true])
        return true
      })
      assert.deepEqual([count(refused), count(broken)], [expected, expected])
    }
  })

  test('without retries a refusal for the rate is thrown at once', async () => {
    const path = service.path('429~1', '200')
    await assert.rejects(clientWith({ retries: 0 }).call('get', path), RateLimitError)
    assert.equal(count(path), 1)
  })

  test('a service that refuses for the rate for ever is given up when the time is used up, however short its waits', async () => {
    for (const step of ['429~0', '429', '429~10']) {
      const path = service.path(step)
      const { call, timer } = clientWith({ maxElapsedSeconds: 30 })
      await assert.rejects(call('get', path), RateLimitError)
      assert.ok(count(path) >= 3 && count(path) <= 31, `${count(path)}`)
      assert.ok(timer.now() <= 31_500, `${timer.now()}`)
    }
  })

  test('neither a single wait nor all of them are longer than allowed', async () => {
    const [long, often] = [service.path('503~121', '200'), service.path('503~100', '503~100', '503~100', '200')]
    await assert.rejects(clientWith().call('get', long), UnavailableError)
    await assert.rejects(clientWith().call('get', often), UnavailableError)
    assert.deepEqual([count(long), count(often)], [1, 3])
    const longest = service.path('503~121', '200')
    assert.deepEqual(await clientWith().call('get', longest, { maxWaitSeconds: 122 }), DONE)
  })

  test('takes no options that are none', () => {
    for (const options of [{ retries: -1 }, { timeoutSeconds: Number.NaN }, { maxWaitSeconds: '5' }])
      assert.throws(() => clientWith(options as never), RangeError)
  })

  test('an answer that does not come, or does not end, is given up in time and asked for again', async () => {
    const path = service.path('hang', 'drip', '200')
    assert.deepEqual(await clientWith().call('get', path, { timeoutSeconds: 0.2 }), DONE)
    for (const step of ['hang', 'drip']) {
      const failing = service.path(step)
      await assert.rejects(clientWith({ timeoutSeconds: 0.05, retries: 1 }).call('get', failing), (error) => {
        assert.ok(error instanceof TimeoutError)
        assert.match(error.message, /within 0.05 seconds/)
        assert.equal(error.attempts, 2)
        return true
      })
    }
  })

  test('ends at once when its signal is aborted, with its reason: on the way, within an answer, between attempts', async () => {
    const reason = new Error('enough')
    for (const step of ['hang', 'drip', '503~100']) {
      const path = service.path(step)
      const { call } = clientWith({ timer: abortedTimer() })
      const stop = new AbortController()
      const asked = call('get', path, { signal: stop.signal })
      await until(async () => count(path) === 1)
      stop.abort(reason)
      await assert.rejects(asked, (error) => error === reason, step)
      assert.equal(count(path), 1)
    }
  })

  test('ends at once in the line for the rate, and leaves its place to the next', async () => {
    const { call } = clientWith({ timer: abortedTimer() })
    const [first, left, next] = [service.path('200'), service.path('200'), service.path('200')]
    await call('get', first)
    const stop = new AbortController()
    const waiting = call('get', service.path('200'), { signal: stop.signal })
    const leaving = call('get', left, { signal: stop.signal })
    stop.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    await assert.rejects(leaving, { name: 'AbortError' })
    assert.deepEqual(await call('get', next), DONE)
    assert.equal(count(left), 0)
  })

  test('who gives up while a token is fetched leaves it to the others', async () => {
    const { call } = clientWith()
    const [mine, other] = [service.path('200'), service.path('200')]
    const tokens = count('/oauth/token')
    const stop = new AbortController()
    const leaving = call('get', mine, { signal: stop.signal })
    const staying = call('get', other)
    stop.abort()
    await assert.rejects(leaving, { name: 'AbortError' })
    assert.deepEqual(await staying, DONE)
    assert.deepEqual([count(mine), count('/oauth/token')], [0, tokens + 1])
  })

  test('sends nothing with a signal that is aborted already', async () => {
    const path = service.path('200')
    await assert.rejects(clientWith().call('get', path, { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.equal(count(path), 0)
  })

  test('leaves nothing behind at a signal that outlives its requests', async () => {
    const { call } = clientWith()
    const stop = new AbortController()
    let listeners = 0
    const { signal } = stop
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1
      add(...given)
    }
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...given)
    }
    for (const steps of [['200'], ['503', '200'], ['404'], ['drop', '200']])
      await call('get', service.path(...steps), { signal }).catch(() => {})
    assert.equal(listeners, 0)
  })

  test('a token is fetched again where that fails; a refresh token is sent once, since it works once', async () => {
    service.tokenSteps = ['drop', '503~1']
    assert.deepEqual(await clientWith().call('get', service.path('200')), DONE)
    service.tokenSteps = ['drop']
    const tokens = count('/oauth/token')
    await assert.rejects(clientWith({ refreshToken: 'works-once' }).call('get', service.path('200')), ConnectionError)
    assert.equal(count('/oauth/token'), tokens + 1)
    service.tokenSteps = ['400']
    await assert.rejects(clientWith().call('get', service.path('200')), BadRequestError)
  })

  test('a failure to get a token is not repeated by every request that wants it', async () => {
    service.tokenSteps = ['drop', 'drop']
    const tokens = count('/oauth/token')
    await assert.rejects(clientWith({ retries: 1 }).call('get', service.path('200')), ConnectionError)
    assert.equal(count('/oauth/token'), tokens + 2)
  })

  test('follows no redirect, neither with a token nor with a secret', async () => {
    const { call } = clientWith({ retries: 0 })
    await assert.rejects(call('get', service.path('away')), ConnectionError)
    service.tokenSteps = ['away']
    await assert.rejects(clientWith({ retries: 0 }).call('get', service.path('200')), ConnectionError)
    assert.equal(count(ELSEWHERE), 0)
  })

  test('no error shows a token or a secret, however closely one looks', async () => {
    service.tokenSteps = []
    for (const step of ['drop', 'cut', 'hang', '401', '404', '429~999', '503', 'away']) {
      const error = await clientWith({ timeoutSeconds: 0.05, retries: 1 })
        .call('get', service.path(step))
        .catch((one: unknown) => one)
      assert.ok(error instanceof Error, step)
      const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error) + error.stack
      assert.ok(!shown.includes(TOKEN) && !shown.includes('a-secret-of-a-test'), step)
    }
  })

  test('an id leads to no other address', async () => {
    const { client } = clientWith()
    for (const id of ['', '.', '..']) await assert.rejects(client.get('/v2/users/{id}', { path: { id } }), TypeError)
  })
})

/** Waits that end by their signal alone; a second, as between two requests of one rate, is over at once. */
function abortedTimer() {
  const timer = frozenTimer()
  const wait = timer.wait.bind(timer)
  timer.wait = (milliseconds, signal) =>
    milliseconds < 60_000
      ? wait(milliseconds, signal)
      : new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  return timer
}
