import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { forgetDeliveries } from '@campus/test/support/forget-deliveries'
import { answer, receiver } from '@campus/test/support/receiver'
import { Webhook } from 'standardwebhooks'
import { queueMailToStaffOf } from '../../services/mail/queue-mail.ts'
import { attachSecrets } from '../../webhooks/attach-secrets.ts'
import { sweepDeliveries } from '../../webhooks/delivery-log.ts'
import { replayOne, replayRange } from '../../webhooks/replay.ts'
import { SCHEDULE } from '../../webhooks/schedule.ts'
import { reasonInEnglish } from '../../webhooks/stored-reasons.ts'
import { type Sending, sending } from './sending.ts'

const DAY_MS = 86_400_000
/** No attempt ends by it, however busy the machine is: one that did would be tried again at a time that never comes here. */
const TIMEOUT_MS = 600_000
let world: Sending
before(async () => {
  world = await sending()
})
after(() => world.close())
afterEach(async () => {
  world.receiver.behave(answer(204))
  await world.fanOut()
  await forgetDeliveries(world.database)
  await world.database.rows('update endpoints set active = true where id = $1', [world.endpoint])
  await world.database.rows('delete from endpoint_failures')
  world.receiver.calls.length = 0
})

const later = (milliseconds: number) => world.set(new Date(world.now().getTime() + milliseconds))
const paths = () => world.receiver.calls.map(({ path }) => path)

/** Waits for each next try and lets it happen, as long as anything is pending; gives the waits in seconds. */
async function walk(limit = 100): Promise<number[]> {
  const waits: number[] = []
  for (let step = 0; step < limit; step += 1) {
    await world.settle()
    const due = (await world.rows()).filter(({ state }) => state === 'pending').map(({ due_at }) => due_at.getTime())
    if (due.length === 0) return waits
    const next = Math.min(...due)
    waits.push((next - world.now().getTime()) / 1000)
    world.set(new Date(next))
  }
  return waits
}

const NOBODY = { userId: null }

describe('a call', () => {
  it('is signed as Standard Webhooks says, and carries the key', async () => {
    await world.user('signed')
    await world.settle()
    const [call] = world.receiver.calls
    assert.equal(call?.body.key, 'a webservice secret')
    assert.equal(call?.headers['content-type'], 'application/json')
    const time = new Date(Number(call?.headers['webhook-timestamp']) * 1000)
    const webhook = new Webhook('a webservice secret', { format: 'raw' })
    assert.equal(webhook.sign(call?.id ?? '', time, call?.text ?? ''), call?.headers['webhook-signature'])
    assert.deepEqual(time, world.now())
  })

  it('goes below the path of the address, with the login encoded', async () => {
    const { endpoint, campus } = await world.place(`${world.receiver.url}/hooks/?side=left`)
    const user = await world.build.user({ login: 'a b/ü', email: 'x@y.test' })
    await world.fanOut()
    await world.database.rows('insert into campus_users (user_id, campus_id, updated_at) values ($1, $2, $3)', [
      ...[user, campus, world.now()],
    ])
    await world.settle()
    assert.deepEqual(paths(), ['/hooks/users/a%20b%2F%C3%BC/update?side=left'])
    assert.equal(world.receiver.calls[0]?.body.key, null)
    assert.equal(world.receiver.calls[0]?.headers['webhook-signature'], undefined)
    await world.database.rows('delete from endpoints where id = $1', [endpoint])
  })

  for (const [status, state] of [
    ...([200, 201, 202, 204, 299].map((code) => [code, 'delivered']) as [number, string][]),
    ...([404, 422].map((code) => [code, 'rejected']) as [number, string][]),
    ...([301, 302, 307, 400, 401, 403, 409, 418, 500, 502, 504].map((code) => [code, 'pending']) as [number, string][]),
  ]) {
    it(`answered ${status} is ${state}`, async () => {
      world.receiver.behave(answer(status, { location: `${world.receiver.url}/elsewhere` }, 'because'))
      await world.user(`answered${status}`)
      await world.settle()
      const [row, ...others] = await world.rows()
      assert.deepEqual(others, [])
      assert.deepEqual([row.state, row.status, row.tries, row.lease], [state, status, 1, null])
      assert.equal(row.answer, status === 204 ? '' : 'because')
      assert.equal(world.receiver.calls.length, 1, 'a redirect is not followed')
    })
  }

  it('answered 410 switches the endpoint off, and its pending deliveries are dead', async () => {
    await world.user('gone')
    await world.settle()
    const user = await world.user('waits')
    await world.touch(user)
    world.receiver.behave(answer(410))
    await world.settle()
    const [endpoint] = await world.database.rows('select active, switched_off_because from endpoints where id = $1', [
      world.endpoint,
    ])
    assert.deepEqual(endpoint, ['f', 'gone'])
    const states = (await world.rows()).map(({ state, status }) => [state, status])
    assert.deepEqual(states, [
      ['delivered', 204],
      ['dead', 410],
      ['dead', null],
    ])
  })

  for (const [header, seconds] of [
    ['3600', 3600],
    ['864000', 86_400],
    ['0', 5],
    [() => new Date(world.now().getTime() + 7_200_000).toUTCString(), 7200],
    ['soon', 5],
  ] as const) {
    it(`answered 429 with Retry-After ${typeof header === 'string' ? header : 'as a date'} waits for it`, async () => {
      world.receiver.behave(answer(429, { 'retry-after': typeof header === 'string' ? header : header() }))
      await world.user('throttled')
      await world.settle()
      const [row] = await world.rows()
      const wait = (row.due_at.getTime() - world.now().getTime()) / 1000
      assert.ok(Math.abs(wait - seconds) <= (seconds === 5 ? 1 : 0), `${wait}`)
      await world.database.rows('delete from users')
    })
  }

  it('stores 64 KiB of an endless answer', async () => {
    world.receiver.behave((response) => {
      response.writeHead(200)
      const more = () => response.writable && response.write('x'.repeat(16_384), () => setImmediate(more))
      more()
    })
    await world.user('endless')
    await world.settle()
    const [row] = await world.rows()
    assert.equal(row.state, 'delivered')
    assert.ok(row.answer.length > 60_000 && row.answer.length <= 65_536, row.answer.length)
  })

  it('ends at its deadline, whatever the receiver does', async () => {
    // The time for all of it is what ends an attempt, also where the machine is too busy to connect within it.
    const sender = world.sender({ deadlines: { connectMs: TIMEOUT_MS, wholeMs: 300 } })
    const ways = {
      silent: () => {},
      dripping: (response: { writeHead(status: number): void; write(text: string): void; writable: boolean }) => {
        response.writeHead(200)
        const timer = setInterval(() => (response.writable ? response.write('x') : clearInterval(timer)), 50)
        timer.unref()
      },
      reset: (_response: unknown, _call: unknown, socket: { destroy(): void }) => socket.destroy(),
    }
    for (const [name, way] of Object.entries(ways)) {
      world.receiver.behave(way as never)
      await world.user(name)
      await sender.settle()
    }
    const errors = (await world.rows()).map(({ login, state, error }) => `${login} ${state} ${reasonInEnglish(error)}`)
    assert.match(errors[0] ?? '', /^silent pending no complete answer within 0.3 s$/)
    assert.match(errors[1] ?? '', /^dripping pending no complete answer within 0.3 s$/)
    assert.match(errors[2] ?? '', /^reset pending /)
  })

  it('refuses a certificate of no known authority', async () => {
    const stranger = await receiver()
    const { endpoint, campus } = await world.place(stranger.url)
    const user = await world.build.user({ updated_at: world.now() })
    await world.database.rows('insert into campus_users (user_id, campus_id, updated_at) values ($1, $2, $3)', [
      ...[user, campus, world.now()],
    ])
    await world.settle()
    const [row] = await world.rows()
    assert.match(row.error, /self-signed/)
    assert.equal(stranger.calls.length, 0)
    await stranger.close()
    await world.database.rows('delete from endpoints where id = $1', [endpoint])
  })
})

describe('the schedule', () => {
  it('is walked to its end, each wait within a fifth; then the delivery is dead', async () => {
    world.receiver.behave(answer(500))
    await world.user('unlucky')
    const waits = await walk()
    assert.equal(waits.length, SCHEDULE.delaysSeconds.length)
    for (const [place, wait] of waits.entries()) {
      const planned = SCHEDULE.delaysSeconds[place] ?? 0
      assert.ok(wait >= planned * 0.8 && wait <= planned * 1.2, `${place}: ${wait}`)
    }
    assert.ok(new Set(waits.map((wait, place) => wait / (SCHEDULE.delaysSeconds[place] ?? 1))).size > 1, 'no jitter')
    const [row] = await world.rows()
    assert.deepEqual([row.state, row.tries, row.due_at, row.attempts.length], ['dead', 11, null, 11])
    assert.deepEqual(new Set(world.receiver.calls.map(({ id }) => id)), new Set([row.webhook_id]))
    assert.deepEqual(new Set(world.receiver.calls.map(({ text }) => text)).size, 1)
  })

  it('switches an endpoint off after five days of nothing but failures, and not before', async () => {
    world.receiver.behave(answer(500))
    const begun = world.now().getTime()
    const isActive = async () => {
      const [row] = await world.database.rows('select active from endpoints where id = $1', [world.endpoint])
      return row?.[0] === 't'
    }
    await world.database.rows('delete from endpoint_failures')
    const user = await world.user('daily')
    let active = true
    for (let day = 0; day < 7 && active; day += 1) {
      world.set(new Date(begun + day * DAY_MS))
      await world.touch(user)
      for (let hour = 0; hour < 24 && active; hour += 1) {
        world.set(new Date(begun + day * DAY_MS + hour * 3_600_000))
        await world.settle()
        active = await isActive()
        const days = (world.now().getTime() - begun) / DAY_MS
        if (!active) assert.ok(days >= 5, `after ${days} days`)
        // It is seen at the first call after five days, and the longest pause between two is 24 h and a fifth.
        else assert.ok(days < 6.25, `still on after ${days} days`)
      }
    }
    assert.equal(active, false)
    const [why] = await world.database.rows('select switched_off_because from endpoints where id = $1', [
      world.endpoint,
    ])
    assert.match(reasonInEnglish(why?.[0] ?? '') ?? '', /^for 5 days every call failed \(\d+ tries\)$/)
    assert.deepEqual(new Set((await world.rows()).map(({ state }) => state)), new Set(['dead']))
    const sent = world.receiver.calls.length
    await world.touch(user)
    await walk()
    assert.equal(world.receiver.calls.length, sent)
  })

  it('goes on where one answer in five days was final', async () => {
    world.receiver.behave(answer(500))
    const user = await world.user('sometimes')
    for (let day = 0; day < 7; day += 1) {
      world.receiver.behave(answer(day === 3 ? 422 : 500))
      await world.touch(user)
      for (let step = 0; step < 24; step += 1) {
        later(3_600_000)
        await world.settle()
      }
    }
    const [row] = await world.database.rows('select active from endpoints where id = $1', [world.endpoint])
    assert.equal(row?.[0], 't')
  })

  it('is judged where an attempt fails, and only then: days without a call switch nothing off', async () => {
    await world.user('unheard')
    await world.settle()
    const long = new Date(world.now().getTime() - 9 * DAY_MS)
    await world.database.rows('insert into endpoint_failures (endpoint_id, since, calls) values ($1, $2, 50)', [
      world.endpoint,
      long.toISOString(),
    ])
    await world.settle()
    const isActive = async () =>
      (await world.database.rows('select active from endpoints where id = $1', [world.endpoint]))[0]?.[0]
    assert.equal(await isActive(), 't')
    world.receiver.behave(answer(500))
    await world.touch(await world.user('failing'))
    await world.settle()
    assert.equal(await isActive(), 'f')
  })
})

describe('the order', () => {
  it('of deliveries about one user stays, and a decided failure lets the later ones pass', async () => {
    const bad = await world.user('bad')
    for (let change = 0; change < 3; change += 1) await world.touch(bad, { status: `state ${change}` })
    world.receiver.behave((response, call) =>
      answer(call.body.status === null ? 500 : 204)(response, call, null as never),
    )
    await world.settle()
    assert.deepEqual(paths(), ['/users/new'], 'the others wait')
    await walk()
    const statuses = world.receiver.calls.map(({ body }) => body.status)
    assert.deepEqual(statuses.slice(-3), ['state 0', 'state 1', 'state 2'])
    assert.equal(statuses.filter((status) => status === null).length, 11)
  })

  it('holds nobody else back', async () => {
    const bad = await world.user('stuck')
    await world.touch(bad)
    const good = await world.user('free')
    await world.touch(good)
    world.receiver.behave((response, call) =>
      answer(call.body.login === 'stuck' ? 500 : 204)(response, call, null as never),
    )
    await world.settle()
    assert.deepEqual(paths(), ['/users/new', '/users/new', '/users/free/update'])
  })

  it('is not disturbed by several senders, and nothing is sent twice', async () => {
    const users: number[] = []
    for (let number = 0; number < 20; number += 1) users.push(await world.user(`many${number}`))
    for (let change = 0; change < 5; change += 1)
      for (const user of users) await world.touch(user, { status: String(change) })
    await Promise.all([world.sender().settle(), world.sender().settle(), world.sender().settle()])
    await world.settle()
    assert.equal(world.receiver.calls.length, 120)
    assert.equal(new Set(world.receiver.calls.map(({ id }) => id)).size, 120)
    for (const login of users.map((_, number) => `many${number}`)) {
      const statuses = world.receiver.calls.filter(({ body }) => body.login === login).map(({ body }) => body.status)
      assert.deepEqual(statuses, [null, '0', '1', '2', '3', '4'])
    }
    // Three senders of four connections each, and the one that came after.
    assert.ok(world.receiver.maxSockets() <= 16, String(world.receiver.maxSockets()))
  })
})

describe('a password and a meta', () => {
  const META = { group: 'canary-group' }
  const change = async (user: number, password = 'canary password') => {
    await world.database.transaction(async (tx) => {
      await attachSecrets(tx, world.sealing, { userId: user, password, meta: META, now: world.now() })
      await tx.rows('update users set revision = revision + 1, updated_at = $2 where id = $1', [user, world.now()])
    })
    await world.fanOut()
  }

  it('are sent, and erased at success', async () => {
    const user = await world.user('sent')
    await change(user)
    await world.settle()
    const [, call] = world.receiver.calls
    assert.deepEqual([call?.body.password, call?.body.meta], ['canary password', META])
    const [, row] = await world.rows()
    assert.deepEqual([row.secrets, row.sealed, row.sealed_by], ['sent', null, null])
  })

  it('are sent again with every attempt, and erased at rejection and death', async () => {
    const user = await world.user('again')
    await world.settle()
    await change(user)
    world.receiver.behave(answer(500))
    await world.settle()
    later(7_000)
    world.receiver.behave(answer(422))
    await world.settle()
    const [, first, second] = world.receiver.calls
    assert.deepEqual([first?.body.password, second?.body.password], ['canary password', 'canary password'])
    const [, row] = await world.rows()
    assert.deepEqual([row.state, row.secrets, row.sealed], ['rejected', 'sent', null])
  })

  it('are gone after 72 hours: the delivery goes out without them', async () => {
    const user = await world.user('late')
    await world.settle()
    await change(user)
    later(73 * 3_600_000)
    await world.settle()
    const call = world.receiver.calls.at(-1)
    assert.deepEqual([call?.body.password, call?.body.meta], [null, null])
    const row = (await world.rows()).at(-1)
    assert.deepEqual([row.state, row.secrets, row.sealed], ['delivered', 'erased', null])
  })

  it('are still said to be erased after the sweep erased them, and after a replay', async () => {
    const user = await world.user('swept')
    await world.settle()
    await change(user)
    later(73 * 3_600_000)
    await sweepDeliveries(world.database, world.now())
    await world.settle()
    const row = (await world.rows()).at(-1)
    assert.deepEqual([row.state, row.secrets], ['delivered', 'erased'])
    await world.database.transaction((tx) => replayOne(tx, row.id, { actor: NOBODY, now: world.now() }))
    await world.settle()
    assert.equal((await world.rows()).at(-1).secrets, 'erased')
  })

  it('are erased where the endpoint is switched off while they are on their way', async () => {
    const user = await world.user('switched')
    await world.settle()
    await change(user)
    world.receiver.behave(async (response, call) => {
      await world.database.rows('update endpoints set active = false where id = $1', [world.endpoint])
      answer(500)(response, call, null as never)
    })
    await world.settle()
    const row = (await world.rows()).at(-1)
    assert.deepEqual([row.state, row.secrets, row.sealed], ['dead', 'erased', null])
  })

  it('are erased where it is being switched off while the outcome is recorded', async () => {
    const user = await world.user('switching')
    await world.settle()
    await change(user)
    let switching: Promise<void> | undefined
    world.receiver.behave(async (response, call) => {
      await new Promise<void>((begun) => {
        switching = world.database.transaction(async (tx) => {
          await tx.rows('update endpoints set active = false where id = $1', [world.endpoint])
          begun()
          for (let blocked = '0'; blocked === '0'; ) {
            const [row] = await world.database.rows(`select count(*) from pg_stat_activity
              where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`)
            blocked = String(row?.[0])
          }
        })
      })
      answer(500)(response, call, null as never)
    })
    await world.settle()
    await switching
    const row = (await world.rows()).at(-1)
    assert.deepEqual([row.state, row.due_at, row.secrets, row.sealed], ['dead', null, 'erased', null])
  })

  it('that nobody can open any more are left out, and the delivery says so', async () => {
    const user = await world.user('lost')
    await world.settle()
    await change(user)
    await world.database.rows("update deliveries set sealed_by = 'a process that died' where sealed is not null")
    await world.database.rows("update deliveries set sealed = 'x' || sealed where sealed is not null")
    await world.settle()
    assert.equal(world.receiver.calls.at(-1)?.body.password, null)
    assert.equal((await world.rows()).at(-1).secrets, 'lost')
  })

  it('are left to the process that sealed them, while it is alive', async () => {
    const user = await world.user('theirs')
    await world.settle()
    await change(user)
    await world.database.rows("update deliveries set sealed_by = 'other' where sealed is not null")
    await world.database.rows("insert into sealing_keys values ('other', now())")
    await world.settle()
    assert.equal((await world.rows()).at(-1).state, 'pending')
    await world.database.rows('delete from sealing_keys')
    await world.settle()
    assert.equal((await world.rows()).at(-1).state, 'delivered')
  })

  it('are left to it, too, while it may have been unable to send heartbeats, since the database was away', async () => {
    const user = await world.user('unsaid')
    await world.settle()
    await change(user)
    await world.database.rows("update deliveries set sealed_by = 'silent' where sealed is not null")
    await world.database.rows("insert into sealing_keys values ('silent', now() - interval '5 minutes')")
    const justBack = { ...world.database, wasAwayWithin: (milliseconds: number) => milliseconds >= 30_000 }
    await world.sender({ database: justBack }).settle()
    assert.equal((await world.rows()).at(-1).state, 'pending')
    await world.settle()
    assert.equal((await world.rows()).at(-1).state, 'delivered')
    await world.database.rows('delete from sealing_keys')
  })

  it('are not stored when the receiver repeats them, nor is the key', async () => {
    world.receiver.behave((response, call) =>
      answer(
        422,
        {},
        `${call.text} ${encodeURIComponent(call.body.password)} ${btoa(call.body.key)} ${btoa(call.text)}`,
      )(response, call, null as never),
    )
    const user = await world.user('echo')
    await change(user)
    await world.settle()
    const texts = JSON.stringify(await world.rows())
    // The middle of the secret in each alignment of base64.
    const inBase64 = ['', 'x', 'xx'].map((before) => btoa(`${before}a webservice secret`).slice(4, 16))
    for (const secret of ['canary', 'a webservice secret', ...inBase64]) {
      assert.ok(!texts.includes(secret), secret)
    }
    assert.match(texts, /\[redacted\]/)
  })
})

describe('an answer to a call with more in its meta than can be looked for', () => {
  it('is not kept', async () => {
    world.receiver.behave((response, call) => answer(422, {}, call.text)(response, call, null as never))
    const user = await world.user('verbose')
    await world.database.transaction(async (tx) => {
      const meta = { groups: Array.from({ length: 300 }, (_, number) => `canary ${number}`) }
      await attachSecrets(tx, world.sealing, { userId: user, password: null, meta, now: world.now() })
      await tx.rows('update users set revision = revision + 1 where id = $1', [user])
    })
    await world.settle()
    const [, row] = await world.rows()
    assert.deepEqual([row.state, row.answer], ['rejected', '(not stored: meta has too many values to redact)'])
  })
})

describe('a call that fails with a short value in its meta', () => {
  it('shows why it failed', async () => {
    await world.user('unreachable')
    await world.settle()
    // The discard port: nobody listens there.
    await world.database.rows('update endpoints set url = $1 where id = $2', ['https://localhost:9', world.endpoint])
    const [{ user_id: user }] = await world.rows()
    await world.database.transaction(async (tx) => {
      await attachSecrets(tx, world.sealing, { userId: user, password: null, meta: { group: 42 }, now: world.now() })
      await tx.rows('update users set revision = revision + 1 where id = $1', [user])
    })
    await world.settle()
    const row = (await world.rows()).at(-1)
    await world.database.rows('update endpoints set url = $1 where id = $2', [world.receiver.url, world.endpoint])
    assert.equal(row.state, 'pending')
    assert.match(row.error, /ECONNREFUSED/)
    assert.equal(row.attempts[0].error, row.error)
  })
})

describe('mails about endpoints that are switched off', () => {
  it('go to twenty staff of each endpoint, however many endpoints are switched off at once', async () => {
    const { build, database } = world
    await database.rows("insert into mail_senders (until) values ('infinity')")
    const places = [await world.place('https://one.example'), await world.place('https://two.example')]
    for (const { campus } of places)
      for (let n = 0; n < 21; n += 1) {
        const id = await build.user({ kind: 'admin' })
        await database.rows('insert into campus_users (user_id, campus_id) values ($1, $2)', [id, campus])
      }
    const endpoints = places.map(({ endpoint }) => endpoint)
    await database.transaction((tx) => queueMailToStaffOf(tx, world.now(), endpoints))
    const counts = await database.rows(
      `select details ->> 'endpointId', count(*) from mails where kind = 'endpoint_switched_off' group by 1 order by 1`,
    )
    assert.deepEqual(
      counts.map(([endpoint, count]) => [Number(endpoint), Number(count)]),
      endpoints.map((endpoint) => [endpoint, 20]),
    )
    await database.rows('delete from mail_senders')
  })
})

describe('answers that name a user who was anonymized', () => {
  const minutesLater = (minutes: number) => new Date(world.now().getTime() + minutes * 60_000)

  it('are erased by the sweep where they arrived late, and no others', async () => {
    const { build, database } = world
    const user = await build.user({ login: 'anonymous-1', closed_at: world.now(), anonymized_at: world.now() })
    const application_id = await build.record('applications', { name: 'Hooked', uid: 'u' })
    const hook = (relation: string, model: string) =>
      build.record('webhooks', {
        application_id,
        relation,
        model,
        event: 'update',
        url: 'https://x.example',
        secret: '',
      })
    const [users, locations] = [await hook('users', 'user'), await hook('locations', 'location')]
    const answered = (webhook_id: number, record_id: number, updated_at: Date) =>
      build.record('webhook_deliveries', { webhook_id, record_id, updated_at, answer: 'Wexford', state: 'delivered' })
    const erased = [await answered(users, user, minutesLater(600)), await answered(locations, 1, minutesLater(1))]
    const left = [await answered(users, user + 1, minutesLater(600)), await answered(locations, 1, minutesLater(-600))]
    await sweepDeliveries(database, world.now())
    const rows = await database.rows('select id from webhook_deliveries where answer is null order by id')
    assert.deepEqual(
      rows.map(([id]) => Number(id)),
      erased,
    )
    assert.deepEqual(
      (await database.rows('select id from webhook_deliveries where answer is not null order by id')).map(([id]) =>
        Number(id),
      ),
      left,
    )
  })

  it('are deleted with the delivery of the new login, whose path has the former login', async () => {
    const user = await world.user('wexford')
    await world.settle()
    await world.touch(user, { login: 'anonymous-2', closed_at: world.now(), anonymized_at: world.now() })
    await world.database.rows('update deliveries set created_at = $1', [minutesLater(1)])
    await world.settle()
    assert.ok((await world.rows()).some(({ login }) => login === 'wexford'))
    await sweepDeliveries(world.database, world.now())
    assert.deepEqual(await world.rows(), [])
  })
})

describe('a replay', () => {
  it('sends the same body with the same id again', async () => {
    world.receiver.behave(answer(422))
    await world.user('replayed')
    await world.settle()
    world.receiver.behave(answer(204))
    const [row] = await world.rows()
    await world.database.transaction((tx) => replayOne(tx, row.id, { actor: NOBODY, now: world.now() }))
    await world.settle()
    const [first, second] = world.receiver.calls
    assert.deepEqual([second?.id, second?.text], [first?.id, first?.text])
    const [after] = await world.rows()
    assert.deepEqual([after.state, after.tries, after.attempts.length], ['delivered', 1, 2])
  })

  it('holds back what is newer about its user, until it is decided', async () => {
    world.receiver.behave(answer(422))
    const user = await world.user('held')
    await world.settle()
    const [first] = await world.rows()
    world.receiver.behave(answer(500))
    await world.database.transaction((tx) => replayOne(tx, first.id, { actor: NOBODY, now: world.now() }))
    await world.touch(user, { status: 'newer' })
    await world.settle()
    assert.deepEqual(
      world.receiver.calls.map(({ body }) => body.status),
      [null, null],
    )
    world.receiver.behave(answer(204))
    await walk()
    assert.deepEqual(
      world.receiver.calls.map(({ body }) => body.status),
      [null, null, null, 'newer'],
    )
  })

  it('of a range takes the dead of an endpoint and a time', async () => {
    const range = { endpointId: world.endpoint }
    const times: Date[] = []
    for (const login of ['one', 'two', 'three']) {
      later(60_000)
      times.push(world.now())
      await world.user(login)
    }
    await world.database.rows("update deliveries set state = 'dead', due_at = null")
    const from = times[1]
    const replayed = await world.database.transaction((tx) =>
      replayRange(tx, { ...range, from }, { actor: NOBODY, now: world.now() }),
    )
    assert.equal(replayed, 2)
    await world.settle()
    assert.deepEqual(world.receiver.calls.map(({ body }) => body.login).sort(), ['three', 'two'])
  })

  it('needs an endpoint that is switched on, and a delivery that is decided', async () => {
    await world.user('waiting')
    const [row] = await world.rows()
    const replay = () => world.database.transaction((tx) => replayOne(tx, row.id, { actor: NOBODY, now: world.now() }))
    await assert.rejects(replay(), /is pending already/)
    await world.database.rows('update endpoints set active = false where id = $1', [world.endpoint])
    await assert.rejects(replay(), /is switched off/)
  })
})

describe('the log of deliveries', () => {
  it('has a decided delivery and a callback for thirty days, and a pending delivery for as long as it is pending', async () => {
    const decided = await world.user('decided')
    await world.settle()
    const pending = await world.user('pending')
    const callback = { endpoint_id: world.endpoint, user_id: decided, url: 'https://a.test', created_at: world.now() }
    await world.build.record('callbacks', { ...callback, initial_data: '{}', response_data: '{}' })
    const left = async (afterDays: number) => {
      await sweepDeliveries(world.database, new Date(world.now().getTime() + afterDays * DAY_MS))
      const [[callbacks]] = (await world.database.rows('select count(*) from callbacks')) as [[string]]
      return [(await world.rows()).map(({ user_id }) => user_id), Number(callbacks)]
    }
    assert.deepEqual(await left(30), [[decided, pending], 1])
    assert.deepEqual(await left(30.1), [[pending], 0])
  })
})

describe('an endpoint that is slow or dead', () => {
  it('does not delay another', async () => {
    const slow = await receiver({ identity: world.receiver.identity })
    slow.behave(() => {})
    const { campus } = await world.place(slow.url)
    for (let number = 0; number < 30; number += 1) {
      const user = await world.user(`both${number}`)
      await world.database.rows(
        'insert into campus_users (user_id, campus_id, is_primary, updated_at) values ($1, $2, false, $3)',
        [user, campus, world.now()],
      )
    }
    await world.fanOut()
    const sender = world.sender({ deadlines: { connectMs: TIMEOUT_MS, wholeMs: TIMEOUT_MS } })
    let settled = false
    const settling = sender.settle().finally(() => {
      settled = true
    })
    while (world.receiver.calls.length < 60 && !settled) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(settled, false, 'the slow one is still being waited for')
    await slow.close() // Ends its attempts; further ones reach nobody.
    await settling
    assert.ok(slow.maxSockets() <= 4)
  })
})
