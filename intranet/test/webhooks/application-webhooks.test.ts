import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { answer } from '@campus/test/support/receiver'
import { Webhook } from 'standardwebhooks'
import { type Hooked, hooked, SECRET } from './application-webhooks.ts'

const ROLES = ['Advanced Staff', 'Advanced Tutor']

let world: Hooked
let campus: number
let user: number
before(async () => {
  world = await hooked()
  campus = await world.build.campus()
  user = await world.build.user({ login: 'hooked' })
  await world.database.rows('insert into campus_users (user_id, campus_id, updated_at) values ($1, $2, now())', [
    user,
    campus,
  ])
})
after(() => world.close())
afterEach(async () => {
  world.receiver.behave(answer(204))
  await world.database.rows('delete from webhooks')
  await world.fanOut()
  world.receiver.calls.length = 0
})

const location = (values = {}) => world.build.location({ user_id: user, campus_id: campus, end_at: null, ...values })
const states = async () => (await world.rows()).map(({ state, error }) => [state, error])

describe('a webhook', () => {
  it('is sent with the headers that receivers look at, and signed', async () => {
    await world.hook({ model: 'location', event: 'create' })
    const id = await location({ host: 'e1r1p1' })
    await world.settle()
    const [call, ...others] = world.receiver.calls
    assert.deepEqual(others, [])
    assert.equal(call?.path, '/hook')
    const { headers } = call ?? { headers: {} }
    assert.equal(headers['content-type'], 'application/json')
    assert.deepEqual([headers['x-model'], headers['x-event'], headers['x-secret']], ['location', 'create', SECRET])
    assert.equal(headers['x-delivery'], headers['webhook-id'])
    const time = new Date(Number(headers['webhook-timestamp']) * 1000)
    assert.equal(
      new Webhook(SECRET).sign(String(headers['webhook-id']), time, call?.text ?? ''),
      headers['webhook-signature'],
    )
    assert.deepEqual([call?.body.id, call?.body.host, call?.body.user.id], [id, 'e1r1p1', user])
    assert.deepEqual(await states(), [['delivered', null]])
  })

  it('is sent of named changes, and of no others', async () => {
    await world.hook({ model: 'location', event: 'close' })
    const id = await location()
    await world.database.rows(`update locations set host = 'other' where id = $1`, [id])
    await world.settle()
    assert.equal(world.receiver.calls.length, 0)
    await world.database.rows(`update locations set end_at = now() where id = $1`, [id])
    await world.settle()
    assert.deepEqual(
      world.receiver.calls.map(({ headers, body }) => [headers['x-event'], body.id]),
      [['close', id]],
    )
  })

  it('is the record as it is when it is sent, and of one that is gone only the id', async () => {
    await world.hook({ model: 'location', event: 'create' })
    await world.hook({ model: 'location', event: 'destroy' })
    const [changed, gone] = [await location({ host: 'former' }), await location()]
    await world.fanOut()
    await world.database.rows(`update locations set host = 'later' where id = $1`, [changed])
    await world.database.rows('delete from locations where id = $1', [gone])
    await world.settle()
    const sent = world.receiver.calls.map(({ headers, body }) => [headers['x-event'], body.id, body.host])
    assert.deepEqual(sent.sort(), [
      ['create', changed, 'later'],
      ['destroy', gone, undefined],
    ])
    assert.deepEqual(world.receiver.calls.find(({ headers }) => headers['x-event'] === 'destroy')?.body, { id: gone })
    assert.ok((await states()).some(([state, error]) => state === 'rejected' && error === 'not_there'))
  })

  it('is not sent of what was rolled back, nor of what was committed before', async () => {
    await location()
    await world.fanOut()
    await world.hook({ model: 'location', event: 'create' })
    await world.database
      .transaction(async (tx) => {
        await tx.rows(`insert into locations (user_id, campus_id, host, begin_at) values ($1, $2, 'x', now())`, [
          user,
          campus,
        ])
        throw new Error('no')
      })
      .catch(() => {})
    await world.settle()
    assert.deepEqual(await world.rows(), [])
  })

  it('is narrowed to a campus', async () => {
    const other = await world.build.campus()
    await world.hook({ model: 'location', event: 'create' }, { campusId: campus })
    await world.hook({ model: 'user', event: 'update' }, { campusId: campus })
    const stranger = await world.build.user()
    const id = await location()
    await location({ campus_id: other })
    for (const one of [user, stranger])
      await world.database.rows(`update users set phone = coalesce(phone, '') || '1' where id = $1`, [one])
    await world.settle()
    assert.deepEqual(world.receiver.calls.map(({ headers, body }) => [headers['x-model'], body.id]).sort(), [
      ['location', id],
      ['user', user],
    ])
  })

  it('is what the application may see when it is sent: rights that were taken away hold', async () => {
    const tutor = await world.app(['Advanced Tutor'])
    const cursus_id = await world.build.cursus()
    await world.hook({ model: 'pool', event: 'create' }, { application: tutor })
    const add = `insert into pools (campus_id, cursus_id, max_points, current_points) values ($1, $2, 100, 10) returning id`
    await world.database.rows(add, [campus, cursus_id])
    await world.fanOut()
    await world.database.rows('delete from application_roles where application_id = $1', [tutor])
    await world.settle()
    assert.equal(world.receiver.calls.length, 0)
    assert.deepEqual(await states(), [['rejected', 'not_allowed']])
    await world.database.rows('delete from pools')
  })

  it('is not sent to a suspended application', async () => {
    await world.hook({ model: 'location', event: 'create' })
    await location()
    await world.fanOut()
    await world.database.rows('update applications set suspended_at = now() where id = $1', [world.application])
    await world.settle()
    await world.database.rows('update applications set suspended_at = null where id = $1', [world.application])
    assert.equal(world.receiver.calls.length, 0)
    assert.deepEqual(await states(), [['rejected', 'suspended']])
  })

  it('about one record comes in order, each after the one before is decided', async () => {
    await world.hook({ model: 'location', event: 'update' })
    const id = await location({ host: '0' })
    world.receiver.behave(answer(500))
    for (const host of ['1', '2', '3']) {
      await world.database.rows('update locations set host = $2 where id = $1', [id, host])
      await world.settle()
    }
    assert.equal(world.receiver.calls.length, 1, 'the later ones wait')
    world.receiver.behave(answer(200))
    world.set(new Date(world.now().getTime() + 60_000))
    await world.settle()
    assert.deepEqual(await states(), Array(3).fill(['delivered', null]))
    const ids = world.receiver.calls.map(({ headers }) => headers['x-delivery'])
    assert.equal(ids[0], ids[1], 'a repeat has the same id')
    assert.equal(new Set(ids).size, 3)
  })

  /** Mails about webhooks that wait to be sent. */
  const queued = async () =>
    (await world.database.rows("select details from mails where kind = 'webhook_switched_off'")).map(([details]) =>
      JSON.parse(String(details)),
    )

  it('is switched off by 410, with what waits', async () => {
    await world.database.rows("insert into mail_senders (until) values (now() + interval '1 day')")
    const owner_id = await world.build.user()
    await world.database.rows('update applications set owner_id = $1 where id = $2', [owner_id, world.application])
    const hook = await world.hook({ model: 'location', event: 'create' })
    world.receiver.behave(answer(410))
    await location()
    await world.settle()
    const [row] = await world.database.rows('select active, switched_off_because from webhooks where id = $1', [hook])
    assert.deepEqual(row, ['f', 'gone'])
    assert.deepEqual(await queued(), [{ webhookId: hook }], 'to the owner')
    await location()
    await world.settle()
    assert.equal(world.receiver.calls.length, 1)
    await world.database.rows('update webhooks set active = true where id = $1', [hook])
    await world.settle()
    assert.equal(world.receiver.calls.length, 1, 'what changed while it was off is not sent')
    world.receiver.behave(answer(200))
    await location()
    await world.settle()
    assert.equal(world.receiver.calls.length, 2)
  })

  it('whose receiver hangs delays no other', async () => {
    await world.hook({ model: 'location', event: 'create' }, { url: `${world.receiver.url}/hangs` })
    await world.hook({ model: 'location', event: 'create' }, { url: `${world.receiver.url}/answers` })
    const all = Promise.withResolvers<void>()
    let answered = 0
    world.receiver.behave((response, { path }) => {
      if (path === '/hangs') return
      response.writeHead(200).end()
      answered += 1
      if (answered === 20) all.resolve()
    })
    for (let n = 0; n < 20; n += 1) await location()
    await world.fanOut()
    const sender = world.sender({ deadlines: { connectMs: 600_000, wholeMs: 600_000 } })
    sender.start()
    await all.promise
    await sender.stop()
    assert.equal(answered, 20)
  })

  it('of a person whose receivers all hang uses only that person’s share and delays nobody else', async () => {
    const [owner, apps] = [await world.build.user(), await Promise.all([world.app(ROLES), world.app(ROLES)])]
    await world.database.rows('update applications set owner_id = $1 where id = any($2)', [owner, apps])
    for (const application of apps)
      for (let n = 0; n < 15; n += 1)
        await world.hook(
          { model: 'location', event: 'create' },
          { application, url: `${world.receiver.url}/hangs/${n}` },
        )
    await world.hook({ model: 'location', event: 'create' }, { url: `${world.receiver.url}/answers` })
    const all = Promise.withResolvers<void>()
    let answered = 0
    const hanging = new Set<string>()
    world.receiver.behave((response, { path, id }) => {
      if (path.startsWith('/hangs')) {
        hanging.add(id)
        return
      }
      response.writeHead(200).end()
      answered += 1
      if (answered === 20) all.resolve()
    })
    for (let n = 0; n < 20; n += 1) await location()
    await world.fanOut()
    const limits = { perProcess: 12, perOwner: 5 }
    const sender = world.sender({ deadlines: { connectMs: 600_000, wholeMs: 600_000 }, limits })
    sender.start()
    await all.promise
    const [[leased] = []] = await world.database.rows(
      `select count(*)::int from webhook_deliveries d join webhooks w on w.id = d.webhook_id
       where d.lease is not null and w.application_id = any($1)`,
      [apps],
    )
    await sender.stop()
    assert.ok(Number(leased) <= limits.perOwner, `${leased} are leased`)
    assert.ok(hanging.size <= limits.perOwner, `${hanging.size} attempts hang`)
  })

  it('counts for the new owner when its application changes hands', async () => {
    const [former, next] = [await world.build.user(), await world.build.user()]
    const [one, other] = [await world.app(ROLES), await world.app(ROLES)]
    const give = (application: number, owner: number) =>
      world.database.rows('update applications set owner_id = $1 where id = $2', [owner, application])
    await give(one, next)
    await give(other, former)
    for (const application of [one, other])
      await world.hook({ model: 'location', event: 'create' }, { application, url: `${world.receiver.url}/slow` })
    await world.hook({ model: 'location', event: 'create' }, { url: `${world.receiver.url}/answers` })
    const hanging = new Set<string>()
    let isHanging = false
    let answered = 0
    let enough = Promise.withResolvers<void>()
    world.receiver.behave((response, { path, id }) => {
      if (isHanging && path === '/slow') {
        hanging.add(id)
        return
      }
      response.writeHead(200).end()
      answered += 1
      if (answered === 3 || answered === 13) enough.resolve()
    })
    const limits = { perProcess: 12, perOwner: 1 }
    const sender = world.sender({ deadlines: { connectMs: 600_000, wholeMs: 600_000 }, limits })
    await location()
    await world.fanOut()
    sender.start()
    await enough.promise
    enough = Promise.withResolvers<void>()
    isHanging = true
    await give(other, next)
    for (let n = 0; n < 10; n += 1) await location()
    await world.fanOut()
    await enough.promise
    await sender.stop()
    assert.equal(hanging.size, 1)
  })

  it('does not lose or double deliveries where several make and send them at once', async () => {
    await world.hook({ model: 'location', event: 'create' })
    for (let n = 0; n < 30; n += 1) await location()
    await Promise.all([world.fanOut(), world.fanOut(), world.fanOut()])
    assert.equal((await world.rows()).length, 30)
    await Promise.all([world.sender().settle(), world.sender().settle()])
    assert.equal(new Set(world.receiver.calls.map(({ id }) => id)).size, 30)
    assert.equal(world.receiver.calls.length, 30)
  })

  it('goes on from what is there where the feed begins anew', async () => {
    await world.hook({ model: 'location', event: 'create' })
    await location()
    await world.settle()
    await world.database.rows('update feed_relay set epoch = gen_random_uuid()')
    await location()
    await world.settle()
    assert.equal(world.receiver.calls.length, 2)
  })

  it('shows its secret in no answer that is stored', async () => {
    await world.hook({ model: 'location', event: 'create' })
    world.receiver.behave((response, { headers }) => response.writeHead(200).end(`got ${headers['x-secret']}`))
    await location()
    await world.settle()
    const [row] = await world.rows()
    assert.equal(row.answer, 'got [redacted]')
  })
})
