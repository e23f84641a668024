/** Three servers of one campus count requests together in a Redis server, and each by itself where that is away. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadTls } from '@campus/engine/http/tls'
import { PARTS } from '@campus/service/parts'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { REDIS_SKIP, type RedisServer, redisServer } from '@campus/test/support/redis'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { issueToken } from '../../oauth/tokens.ts'
import { createApp } from '../../server/app/app.ts'

const SERVERS = 3

let world: World
let redis: RedisServer
let servers: readonly FastifyInstance[] = []
before(async () => {
  if (REDIS_SKIP) return
  world = await campus()
  redis = await redisServer()
  const { database, clock } = world
  const config = { ...world.config, redisUrl: redis.url }
  const tls = await loadTls(config)
  const secretKey = Buffer.alloc(32, 7)
  servers = await Promise.all(
    Array.from({ length: SERVERS }, () => createApp({ parts: PARTS, config, database, clock, tls, secretKey })),
  )
})
after(async () => {
  for (const server of servers) await server.close()
  await world?.close()
  await redis?.remove()
})

/** Calls of one application with these rates, dealt to the servers in turn. */
async function callsOf(rates: { readonly perSecond: number; readonly perHour: number }) {
  const { id } = await world.database.transaction((tx) =>
    createApplication(tx, { name: 'Limited', rate_per_second: rates.perSecond, rate_per_hour: rates.perHour }),
  )
  const grant = { applicationId: id, resourceOwnerId: null, scopes: ['public'] }
  const { token } = await issueToken(world.database, world.clock, grant)
  let calls = 0
  return (number: number): Promise<LightMyRequestResponse[]> =>
    Promise.all(
      Array.from({ length: number }, () => {
        const server = servers[calls++ % SERVERS] as FastifyInstance
        return server.inject({ url: '/v2/languages', headers: { authorization: `Bearer ${token}` } })
      }),
    )
}

const statusesOf = (answers: readonly LightMyRequestResponse[]) => new Set(answers.map(({ statusCode }) => statusCode))
const accepted = (answers: readonly LightMyRequestResponse[]) => answers.filter(({ statusCode }) => statusCode === 200)
const hourlyLeft = ({ headers }: LightMyRequestResponse) => Number(headers['x-hourly-ratelimit-remaining'])

const UNLIMITED = 1_000_000

test('an hour has as many requests as it may, whichever server they come to', { skip: REDIS_SKIP }, async () => {
  const call = await callsOf({ perSecond: UNLIMITED, perHour: 70 })
  const answers = await call(150)
  assert.deepEqual(statusesOf(answers), new Set([200, 429]))
  assert.equal(accepted(answers).length, 70)
  const left = accepted(answers).map(hourlyLeft)
  assert.deepEqual(
    left.sort((a, b) => a - b),
    Array.from({ length: 70 }, (_, index) => index),
  )
})

test('a second has no more than it may, and refused calls do not burn the hour', { skip: REDIS_SKIP }, async () => {
  const [perSecond, perHour] = [2, 1200]
  const call = await callsOf({ perSecond, perHour })
  const answers: LightMyRequestResponse[] = []
  const begun = performance.now()
  for (let round = 0; round < 12; round += 1) answers.push(...(await call(10)))
  const seconds = (performance.now() - begun) / 1000
  const most = perSecond + 1 + Math.floor(perSecond * seconds)
  assert.ok(accepted(answers).length >= perSecond && accepted(answers).length <= most, `${accepted(answers).length}`)
  assert.equal(Math.min(...answers.map(hourlyLeft)), perHour - accepted(answers).length)
})

test('while the server of rates is killed, each counts by itself, and together again afterwards', {
  skip: REDIS_SKIP,
}, async () => {
  const perHour = 20
  const call = await callsOf({ perSecond: UNLIMITED, perHour })
  const before = call(SERVERS)
  await redis.kill()
  const during = [...(await before), ...(await call(200))]
  assert.deepEqual(statusesOf(during), new Set([200, 429]))
  const most = SERVERS * perHour + SERVERS
  assert.ok(accepted(during).length >= perHour && accepted(during).length <= most, `${accepted(during).length}`)

  await redis.start()
  await together()
})

test('while the server of rates is frozen, nobody waits long for it, and nobody goes uncounted', {
  skip: REDIS_SKIP,
}, async () => {
  const perHour = 20
  const call = await callsOf({ perSecond: UNLIMITED, perHour })
  redis.freeze()
  const answers = [...(await call(SERVERS)), ...(await call(200))]
  redis.thaw()
  assert.deepEqual(statusesOf(answers), new Set([200, 429]))
  assert.equal(accepted(answers).length, SERVERS * perHour)
  await together()
})

/** Resolves when the servers count together again. */
async function together(): Promise<void> {
  for (;;) {
    const call = await callsOf({ perSecond: UNLIMITED, perHour: 6 })
    const answers = await call(3 * SERVERS)
    if (accepted(answers).length === 6) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
