/** Every route that answers without a token has a rate, and the rate is counted by address and by link. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limitPublicRoutes } from '@campus/engine/http/public-rates'
import type { Spending } from '@campus/engine/http/rates/rate-store'
import { campus, type World } from '@campus/test/support/campus'
import Fastify from 'fastify'
import { PUBLIC_RATES } from '../../server/app/public-rates.ts'

describe('a route that answers without a token', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  it('has a rate, or is listed with the reason why it needs none', async () => {
    const unlimited = [...world.app.publicRates].filter(([, rate]) => rate === undefined).map(([route]) => route)
    assert.ok(unlimited.length > 500)
    const answering: string[] = []
    for (const route of unlimited) {
      const [method = '', path = ''] = route.split(' ')
      if (path in PUBLIC_RATES.unlimited) continue
      const url = path.replace(/:\w+/g, '1')
      const { statusCode } = await world.app.inject({ method: method as 'GET', url })
      if (statusCode !== 401) answering.push(`${route}: ${statusCode}`)
    }
    assert.deepEqual(answering, [])
  })

  it('exists if it is listed as unlimited', () => {
    const paths = new Set([...world.app.publicRates.keys()].map((route) => route.split(' ')[1]))
    for (const path of Object.keys(PUBLIC_RATES.unlimited)) assert.ok(paths.has(path), path)
  })

  it('leaves room for a school of 500 phones behind one address', () => {
    for (const [route, rate] of world.app.publicRates) {
      if (!rate) continue
      assert.ok(rate.perAddress >= 500 * 5, route)
      assert.ok((rate.perLink ?? 500) >= 500, route)
    }
  })
})

describe('public requests', () => {
  const serve = () => {
    const spendings: Spending[] = []
    const app = Fastify()
    limitPublicRoutes(
      app,
      {
        async spend(spending) {
          spendings.push(spending)
          return { refusedBy: undefined, left: [0], waitMilliseconds: 0 }
        },
      },
      PUBLIC_RATES,
    )
    app.get('/v2/users/:id/agenda.ics', async () => 'calendar')
    return { app, spendings }
  }
  const url = '/v2/users/1/agenda.ics?token=a'

  it('count by IPv4 address, by the /64 of an IPv6 address, and by link', async () => {
    const { app, spendings } = serve()
    for (const remoteAddress of ['203.0.113.7', '2001:db8::1', '2001:db8::2'])
      assert.equal((await app.inject({ url, remoteAddress })).statusCode, 200)
    await app.inject({ url: url.replace('=a', '=b'), remoteAddress: '203.0.113.7' })
    const counts = Map.groupBy(spendings, ({ by }) => by.replace(/link .*/, 'link'))
    assert.deepEqual(
      [...counts].map(([by, all]) => [by, all.length]),
      [
        ['calendars of address 203.0.113.7', 2],
        ['calendars of link', 4],
        ['calendars of address 2001:db8::/64', 2],
      ],
    )
    assert.equal(new Set(spendings.filter(({ by }) => by.includes('link')).map(({ by }) => by)).size, 2)
  })

  it('count for the same link however its address is written', async () => {
    const { app, spendings } = serve()
    for (const other of [
      url,
      `${url}&x=1`,
      url.replace('?', '?x=2&'),
      url.replace('/1/', '/01/'),
      url.replace('=a', '=%61'),
    ])
      assert.equal((await app.inject({ url: other })).statusCode, 200)
    assert.equal(new Set(spendings.filter(({ by }) => by.includes('link')).map(({ by }) => by)).size, 1)
  })

  it('beyond the rate get 429 with Retry-After, before anything is read', async () => {
    const world = await campus()
    try {
      const ask = (token: string) => world.app.inject({ url: `/v2/users/1/agenda.ics?token=${token}` })
      for (let time = 0; time < 600; time += 1) assert.equal((await ask('a')).statusCode, 404)
      const refused = await ask('a')
      assert.equal(refused.statusCode, 429)
      assert.match(String(refused.headers['retry-after']), /^\d+$/)
      assert.equal((await ask('b')).statusCode, 404)
    } finally {
      await world.close()
    }
  })
})
