import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { request as send } from 'undici'
import { campus, type World } from '../support/campus.ts'
import { signedInOf } from '../support/people.ts'
import { EVERYTHING } from '../support/record-factory.ts'
import { costOf, minOf, slowness } from '../support/sizes/measure.ts'
import { ACCEPTED_SHAPES, BODY_SHAPES, HEAD_SHAPES, type Shape, type SizedRequest } from '../support/sizes/shapes.ts'
import { csrfTokenIn } from '../support/visitor.ts'

/** Bytes: nearly as much as a body and the headers may have. */
const MAX_BODY = 1_040_000
const MAX_HEAD = 15_000
/** Milliseconds, on the machine of the figures in the documents. */
const MAX_HELD = 50
/** Four times the input may cost six times the time. */
const FACTOR = 6
/** A kernel may count a running thread's time by ticks of 10 ms, so that each end of a measurement is off by one. */
const SLACK = 20
const MAX_ATTEMPTS = 8
const MAX_REFUSAL = 65_536

let world: World
let token = ''
let browser: { readonly cookie: string; readonly csrf: string }

before(async () => {
  world = await campus()
  const user = await world.build.user({ kind: 'admin' })
  token = String((await world.caller({ ...EVERYTHING, user })).token)
  await world.build.record('projects', { name: 'X', slug: 'x' })
  const { browser: visitor } = await signedInOf(world, { login: 'eve' })
  const csrf = csrfTokenIn(await visitor.get('/applications/new'))
  browser = { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '), csrf }
})
after(() => world.close())

describe('four times as much of it costs no more than six times the time, and nothing holds the event loop:', () => {
  for (const [shapes, largest] of [
    [ACCEPTED_SHAPES, MAX_BODY],
    [BODY_SHAPES, MAX_BODY],
    [HEAD_SHAPES, MAX_HEAD],
  ] as const) {
    for (const shape of shapes) it(shape.title, () => growsLinearly(shape, largest))
  }
})

async function growsLinearly(shape: Shape, largest: number): Promise<void> {
  const most = largestCount(shape, largest)
  const [small, large] = [shape.make(Math.floor(most / 4)), shape.make(most)]
  const costs = { small: [await cost(small)], large: [await cost(large)] }
  for (;;) {
    const [one, four] = [minOf(costs.small), minOf(costs.large)]
    const isLinear = four.total <= FACTOR * one.total + SLACK
    const isShort = four.held <= MAX_HELD || four.held <= MAX_HELD * slowness()
    if (isLinear && isShort) return
    const reported = `${most / 4} and ${most}: ${JSON.stringify([one, four])}`
    if (costs.large.length >= MAX_ATTEMPTS)
      assert.fail(`${isLinear ? 'the event loop is held' : 'not linear'}, ${reported}`)
    costs.small.push(await cost(small))
    costs.large.push(await cost(large))
  }
}

async function cost(sized: SizedRequest) {
  const { method, path, as } = sized
  const csrf = as === 'browser' ? `csrf_token=${encodeURIComponent(browser.csrf)}&` : ''
  const body = sized.body === undefined ? null : Buffer.from(csrf + sized.body)
  const headers = {
    ...(as === undefined ? { authorization: `Bearer ${token}` } : {}),
    ...(as === 'browser' ? { cookie: browser.cookie, origin: world.url } : {}),
    ...sized.headers,
  }
  return costOf(async () => {
    const answer = await send(world.url + path, { method, headers, body, dispatcher: world.agent })
    const text = await answer.body.text()
    assert.ok(answer.statusCode < 500, `${answer.statusCode} ${text.slice(0, 300)}`)
    if (answer.statusCode >= 400 && as !== 'browser')
      assert.ok(text.length <= MAX_REFUSAL, `a refusal of ${text.length} characters: ${text.slice(0, 300)}`)
  })
}

/** Returns the largest count whose request has at most `largest` bytes. */
function largestCount(shape: Shape, largest: number): number {
  const bytesOf = (count: number) => {
    const { path, headers = {}, body = '' } = shape.make(count)
    return Buffer.byteLength(path + body) + JSON.stringify(headers).length
  }
  if (shape.most !== undefined) {
    assert.ok(bytesOf(shape.most) <= largest)
    return shape.most
  }
  const each = (bytesOf(1_000) - bytesOf(500)) / 500
  let count = Math.floor(largest / each)
  while (bytesOf(count) > largest) count = Math.floor(count * 0.98)
  return count
}
