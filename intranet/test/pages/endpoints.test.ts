import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { forgetDeliveries } from '@campus/test/support/forget-deliveries'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn } from '@campus/test/support/visitor'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

const DAY_MS = 86_400_000

describe('the pages of webservices', () => {
  let world: World
  let boss: SignedIn
  let student: SignedIn
  let endpoint: number
  before(async () => {
    // Half past eleven at night in Auckland: the school's day is nearly over when that of UTC is not half gone.
    world = await campus({ now: '2026-03-02T10:30:00.000Z', env: { CAMPUS_TIME_ZONE: 'Pacific/Auckland' } })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    student = await signedInOf(world, { login: 'pupil' })
    // Port 9 of the loopback interface, which nobody may call.
    endpoint = await world.build.record('endpoints', { url: 'https://127.0.0.1:9/<b>hooks', active: true })
    await world.build.campus({ name: 'Lyon & Co', endpoint_id: endpoint })
  })
  after(() => world.close())

  /** A delivery of so many days ago. */
  async function delivery(values: Readonly<Record<string, unknown>>, daysAgo = 0): Promise<number> {
    const at = new Date(world.clock.now().getTime() - daysAgo * DAY_MS)
    return world.build.record('deliveries', {
      endpoint_id: endpoint,
      user_id: 7,
      login: 'ada',
      event: 'updated',
      record: '{"login":"ada"}',
      created_at: at,
      updated_at: at,
      ...values,
    })
  }
  const states = async () => {
    const rows = await world.database.rows('select id, state from deliveries order by id')
    return Object.fromEntries(rows.map(([id, state]) => [Number(id), state]))
  }
  const clear = () => forgetDeliveries(world.database)

  it('are for staff only, to see and to send', async () => {
    const id = await delivery({ state: 'dead' })
    const token = csrfTokenIn(await student.browser.get('/applications/new'))
    const paths = ['/staff/endpoints', `/staff/endpoints/${endpoint}`, `/staff/deliveries/${id}`]
    for (const path of paths) {
      assert.equal((await student.browser.get(path)).status, 403, path)
      assert.equal((await boss.browser.get(path)).status, 200, path)
    }
    for (const path of [...paths.slice(1), `/staff/endpoints/${endpoint}/switch`]) {
      assert.equal((await student.browser.post(path, { csrf_token: token, active: 'no' })).status, 403, path)
      assert.equal((await boss.browser.post(path, { active: 'no' })).status, 403, `${path} without a token`)
    }
    assert.deepEqual(await states(), { [id]: 'dead' })
    for (const path of ['/staff/endpoints/999', '/staff/deliveries/999', '/staff/endpoints/x']) {
      assert.equal((await boss.browser.get(path)).status, 404, path)
    }
    await clear()
  })

  it('show what a webservice got, and nothing of it as HTML', async () => {
    const at = world.clock.now().toISOString()
    const id = await delivery({
      state: 'rejected',
      status: 422,
      answer: '<script>alert(1)</script>',
      milliseconds: 12,
      tries: 2,
      decided_at: world.clock.now(),
      attempts: JSON.stringify([
        { at, status: null, error: 'not_answered 15', milliseconds: 15_001 },
        { at, status: 422, error: null, milliseconds: 12 },
      ]),
    })
    const { text: list } = await boss.browser.get('/staff/endpoints')
    assert.match(list, /Lyon &amp; Co/)
    assert.match(list, /0 waiting\s+· 0 given up · 1 rejected/)
    assert.ok(!list.includes('<b>hooks'))
    const { text } = await boss.browser.get(`/staff/deliveries/${id}`)
    for (const shown of ['answered 422 after 12 ms', 'no complete answer within 15 s', '15,001 ms', '&lt;script&gt;']) {
      assert.ok(text.includes(shown), shown)
    }
    assert.ok(!text.includes('<script>'))
    await clear()
  })

  it('count the days as the school does', async () => {
    await delivery({ state: 'dead' })
    await delivery({ state: 'delivered' })
    await delivery({ state: 'delivered' }, 13)
    await delivery({ state: 'delivered' }, 14)
    const { text } = await boss.browser.get(`/staff/endpoints/${endpoint}`)
    assert.match(text, /3 deliveries in the last 14 days: 1 failed for good, 0 waiting\./)
    const table = [
      ...text.matchAll(
        /<th scope="row">([\d-]+)<\/th><td[^>]*>(\d+)<\/td><td[^>]*>(\d+)<\/td><td[^>]*>(\d+)<\/td><\/tr>/g,
      ),
    ]
    assert.deepEqual(
      table.map(([, ...cells]) => cells),
      [
        ['2026-02-17', '0', '0', '1'],
        ['2026-03-02', '1', '0', '1'],
      ],
    )
    await clear()
  })

  it('list the deliveries of a state, an event and a user, part by part', async () => {
    for (let number = 0; number < 30; number += 1) await delivery({ state: 'delivered', login: `user${number}` })
    await delivery({ state: 'delivered', event: 'closed', login: 'bob', user_id: 8 })
    const loginsAt = async (query: string) => {
      const { text } = await boss.browser.get(`/staff/endpoints/${endpoint}?${query}`)
      return [...text.matchAll(/href="\/staff\/deliveries\/\d+">(\S+) /g)].map(([, login]) => login)
    }
    assert.deepEqual(await loginsAt('event=closed'), ['bob'])
    assert.deepEqual(await loginsAt('user=8'), ['bob'])
    assert.deepEqual(await loginsAt('user=user3&state=delivered'), ['user3'])
    assert.deepEqual(await loginsAt('state=dead'), [])
    assert.equal((await loginsAt('event=updated')).length, 25)
    assert.equal((await loginsAt('event=updated&page=2')).length, 5)
    const { text } = await boss.browser.get(`/staff/endpoints/${endpoint}?event=updated`)
    assert.match(text, /href="[^"]*\?event=updated&amp;page=2" rel="next"/)
    await clear()
  })

  it('replay one delivery, once', async () => {
    const id = await delivery({ state: 'dead', tries: 11 })
    const path = `/staff/deliveries/${id}`
    assert.equal((await boss.browser.submit(path, {})).location, path)
    const [row] = await world.database.rows('select count(*) from deliveries where id = $1 and decided_at is null', [
      id,
    ])
    assert.equal(row?.[0], '1')
    assert.match(
      (await boss.browser.get('/security')).text,
      /1 delivery to https:\/\/127\.0\.0\.1:9\/&lt;b&gt;hooks replayed/,
    )
    await clear()
  })

  it('replay the deliveries of a range of the school’s days', async () => {
    await world.database.rows('update endpoints set active = false')
    const [old, middle, late] = [
      await delivery({ state: 'dead' }, 6),
      await delivery({ state: 'dead' }, 3),
      await delivery({ state: 'dead' }),
    ]
    const other = await delivery({ state: 'rejected' }, 3)
    const path = `/staff/endpoints/${endpoint}`
    const off = await boss.browser.submit(path, { replay_state: 'dead' })
    assert.equal(off.status, 422)
    await world.database.rows('update endpoints set active = true')
    const wrong = await boss.browser.submit(path, { replay_state: 'dead', from: 'yesterday', to: '2026-02-30' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /id="from-fault">is not a date/)
    assert.match(wrong.text, /value="yesterday"/)
    const turned = await boss.browser.submit(path, { replay_state: 'dead', from: '2026-03-02', to: '2026-03-01' })
    assert.match(turned.text, /must not be before the first day/)
    assert.equal((await boss.browser.submit(path, { replay_state: 'all' })).status, 422)
    assert.deepEqual(Object.values(await states()), ['dead', 'dead', 'dead', 'rejected'])

    await boss.browser.submit(path, { replay_state: 'dead', from: '2026-02-27', to: '2026-02-27' })
    assert.match((await boss.browser.get(path)).text, /1 delivery is queued again/)
    const now = await states()
    assert.deepEqual([now[old], now[late], now[other]], ['dead', 'dead', 'rejected'])
    const rows = await world.database.rows('select decided_at is null from deliveries where id = $1', [middle])
    assert.deepEqual(rows, [['t']])
    await clear()
  })

  it('switch a webservice that was given up on, with what it missed, and staff see it until then', async () => {
    await world.database.rows(
      `update endpoints set active = false, switched_off_at = $1, switched_off_because = 'gone'`,
      [world.clock.now()],
    )
    const id = await delivery({ state: 'dead', decided_at: world.clock.now() })
    assert.match((await boss.browser.get('/')).text, /was switched off after/)
    assert.ok(!(await student.browser.get('/')).text.includes('was switched off after'))
    const path = `/staff/endpoints/${endpoint}`
    const { text } = await boss.browser.get(path)
    assert.match(text, /Given up<\/span> at .*: it answered 410 Gone/)
    assert.match(text, /Switch on and replay 1 delivery/)
    await boss.browser.submit(path, { active: 'yes', replay: 'yes' }, `${path}/switch`)
    const [row] = await world.database.rows('select active, switched_off_at from endpoints')
    assert.deepEqual(row, ['t', null])
    const rows = await world.database.rows('select decided_at is null from deliveries where id = $1', [id])
    assert.deepEqual(rows, [['t']])
    assert.ok(!(await boss.browser.get('/')).text.includes('was switched off after'))
    assert.equal((await boss.browser.submit(path, { active: 'yes' }, `${path}/switch`)).status, 422)
    await boss.browser.submit(path, { active: 'no', confirmed: 'yes' }, `${path}/switch`)
    assert.match((await boss.browser.get(path)).text, /Switched off<\/span>: nothing is delivered/)
    const kinds = (await auditRecordsConcerning(world.database, boss.id, 3)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['endpoint_switched_off', 'deliveries_replayed', 'endpoint_switched_on'])
  })
})
