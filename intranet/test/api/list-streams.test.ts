import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it, mock } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { ownedApplication } from '@campus/test/support/owned-application'
import { until } from '@campus/test/support/until'
import { parse } from 'csv-parse/sync'
import { request } from 'undici'

const CSV = { accept: 'text/csv' }
const NDJSON = { accept: 'application/x-ndjson' }

let world: World
before(async () => {
  world = await campus()
  const campusId = await world.build.campus()
  for (const login of ['ada', 'bo', 'clara']) {
    const user_id = await world.build.user({ login, first_name: 'Ana' })
    await world.build.record('campus_users', { user_id, campus_id: campusId })
  }
})
after(() => world.close())

describe('the whole of a list', () => {
  it('has a line of names even where it holds nothing', async () => {
    const { headers, text } = await world.staff.get('/v2/locations?filter[id]=2000000000', CSV)
    assert.equal(headers.get('x-total'), '0')
    const names = (text.split('\r\n')[0] as string).split(',')
    assert.deepEqual(names.slice(0, 3), ['id', 'begin_at', 'end_at'])
    assert.ok(names.includes('user.image.versions.small'), text)
    assert.equal((await world.staff.get('/v2/locations?filter[id]=2000000000', NDJSON)).text, '')
  })

  it('is filtered, ranged, searched and sorted as its pages are', async () => {
    const query = 'filter[kind]=student&range[id]=1,2&search[name]=a&sort=-login'
    const { text } = await world.staff.get(`/v2/users?${query}`, NDJSON)
    const logins = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).login)
    assert.deepEqual(logins, ['bo', 'ada'])
  })

  it('says what it is', async () => {
    const { headers } = await world.staff.get('/v2/campus/1/users', CSV)
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    assert.equal(headers.get('content-disposition'), 'attachment; filename="users.csv"')
    assert.match(String(headers.get('vary')), /\bAccept\b/)
    assert.equal(headers.get('x-page'), '1')
    assert.equal(headers.get('link'), null)
    assert.equal(headers.get('etag'), null)
    assert.ok(Number(headers.get('x-total')) > 1)
    const head = await world.staff.request('HEAD', '/v2/users', { headers: NDJSON })
    assert.deepEqual([head.status, head.headers.get('content-type'), head.text], [200, 'application/x-ndjson', ''])
  })

  it('is refused in words where it cannot be', async () => {
    const refused = async (path: string, caller: Client = world.staff): Promise<readonly [number, string]> => {
      const { status, json } = await caller.get(path, CSV)
      return [status, json.message]
    }
    const [status, message] = await refused('/v2/users', world.visitor)
    assert.equal(status, 403)
    assert.match(message, /text\/csv needs the role Basic Staff.*application\/json/)
    assert.equal((await refused('/v2/users?page=2'))[0], 400)
    assert.match((await refused('/v2/users?page[size]=2'))[1], /per_page does not go with text\/csv/)
    assert.equal((await refused('/v2/users?filter[nothing]=1'))[0], 400)
    assert.equal((await refused('/v2/campus/999/users'))[0], 404)
    assert.equal((await world.anonymous.get('/v2/users', CSV)).status, 401)
  })

  it('is a page of JSON for whoever takes that as gladly, and a record is JSON for everybody', async () => {
    for (const path of ['/v2/users', '/v2/users/ada']) {
      const { status, headers } = await world.visitor.get(path, { accept: 'application/json, text/csv' })
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'])
    }
    assert.equal((await world.visitor.get('/v2/users/ada', CSV)).status, 200)
    const { headers } = await world.staff.get('/v2/users', { accept: 'application/vnd.api+json, text/csv;q=0.9' })
    assert.equal(headers.get('content-type'), 'application/vnd.api+json')
  })

  it('begins no cell like a formula', async () => {
    const id = await world.build.user({ usual_first_name: '=1+1', phone: '+49 30 1' })
    const { status, text } = await world.staff.get(`/v2/users?filter[id]=${id}`, CSV)
    assert.equal(status, 200, text)
    const [line = {}] = parse(text, { columns: true }) as unknown as Readonly<Record<string, string>>[]
    assert.equal(line.usual_first_name, "'=1+1")
    assert.equal(line.phone, "'+49 30 1")
  })
})

describe('a long list', () => {
  const LINES = 12_000

  before(async () => {
    await world.database.rows(
      `insert into locations (user_id, campus_id, host, begin_at, end_at, "primary")
       select (select min(id) from users), (select min(id) from campus), 'long' || n, now() - n * interval '1 minute', now(), true
       from generate_series(1, ${LINES}) n`,
    )
  })

  /** Opens a list and reads its first bytes. */
  async function begin({ token } = world.staff) {
    const { statusCode, body } = await request(`${world.url}/v2/locations?sort=id`, {
      dispatcher: world.agent,
      headers: { authorization: `Bearer ${token}`, ...NDJSON },
    })
    body.on('error', () => {})
    assert.equal(statusCode, 200)
    await once(body, 'readable')
    return body
  }

  const staffCaller = async () => world.caller({ roles: ['Basic Staff'], user: await world.build.user() })

  async function untilNoneIsOpen(): Promise<void> {
    for (;;) {
      const [row] = await world.database.rows(
        "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
      )
      if (row?.[0] === '0') return
    }
  }

  it('is the list of one moment, whatever is written meanwhile', async () => {
    const body = await begin()
    await world.database.rows('update locations set "primary" = false')
    let text = ''
    for await (const chunk of body) text += chunk
    const lines = text.trim().split('\n')
    assert.ok(lines.length >= LINES)
    assert.ok(lines.every((line) => line.includes('"primary":true')))
  })

  it('is read no faster than its client takes it, and not at all when the client has gone', async () => {
    let fetches = 0
    const { openSnapshot } = world.database
    mock.method(world.database, 'openSnapshot', async () => {
      const snapshot = await openSnapshot()
      const rows: typeof snapshot.rows = (text, values) => {
        if (text.includes('fetch')) fetches += 1
        return snapshot.rows(text, values)
      }
      return { ...snapshot, rows }
    })
    try {
      const body = await begin()
      // Without a reader, the list stops when the buffers of the connection are full.
      let before = -1
      while (before !== fetches) {
        before = fetches
        await world.visitor.get('/v2/users')
        await world.visitor.get('/v2/cursus')
      }
      assert.ok(fetches < LINES / 200, `${fetches} chunks were read`)
      body.destroy()
      await untilNoneIsOpen()
      assert.ok(fetches < LINES / 200, `${fetches} chunks were read`)
    } finally {
      mock.restoreAll()
    }
  })

  it('is refused with 429 beyond two of one person and 503 beyond three in all, and pages are not', async () => {
    const open = [await begin(), await begin()]
    const refusalOf = async (client: Client) => {
      const refused: Response = await client.get('/v2/locations', CSV)
      return [refused.status, refused.headers.get('retry-after')]
    }
    assert.deepEqual(await refusalOf(world.staff), [429, '10'])
    const [second, third] = [await staffCaller(), await staffCaller()]
    open.push(await begin(second))
    assert.deepEqual(await refusalOf(third), [503, '10'])
    assert.equal((await world.staff.get('/v2/locations')).status, 200)
    for (const body of open) body.destroy()
    await untilNoneIsOpen()
    // The database notices the end of a connection before the service does.
    await until(async () => (await world.staff.get('/v2/locations?filter[host]=none', CSV)).status === 200)
  })

  describe('of a program without a role', () => {
    const total = async () => Number((await world.visitor.get('/v2/locations?per_page=1')).headers.get('x-total'))
    const program = async (user: number, ratePerHour = 1_000) =>
      world.caller({ user, application: undefined, ratePerSecond: 500, ratePerHour })
    const leftOf = ({ headers }: Response) => Number(headers.get('x-hourly-ratelimit-remaining'))
    const whole = (client: Client) => client.get('/v2/locations', NDJSON)

    it('costs a request for each 1,000 records, from an hour that all applications of a person share', async () => {
      const records = await total()
      const cost = Math.ceil(records / 1_000)
      const hour = 2 * cost - 1
      const user = await world.build.user()
      const [first, second] = [await program(user, hour), await program(user, hour)]
      const head = await first.request('HEAD', '/v2/locations', { headers: NDJSON })
      assert.deepEqual([head.status, leftOf(head)], [200, hour - 1])
      const list = await whole(first)
      assert.equal(list.text.trim().split('\n').length, records)
      for (const client of [first, second]) {
        const refused = await whole(client)
        assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '600'])
        assert.equal((await client.get('/v2/locations')).status, 200)
      }
      assert.equal((await whole(await program(await world.build.user(), hour))).status, 200)
    })

    it('costs other people of its application one request, however long it is', async () => {
      const cost = Math.ceil((await total()) / 1_000)
      const application = await ownedApplication(world, await world.build.user(), ['public'])
      const hour = 3 * cost
      await world.database.rows('update applications set rate_per_second = 500, rate_per_hour = $2 where id = $1', [
        application,
        hour,
      ])
      const [one, other] = [
        await world.caller({ application, user: await world.build.user() }),
        await world.caller({ application, user: await world.build.user() }),
      ]
      for (let times = 1; times <= 3; times += 1) assert.equal((await whole(one)).status, 200)
      assert.equal((await whole(one)).status, 429)
      assert.equal(leftOf(await other.get('/v2/locations')), hour - 5)
      assert.equal((await whole(other)).status, 200)
    })

    it('costs requests of its own hour if it is for no person', async () => {
      const cost = Math.ceil((await total()) / 1_000)
      const client = await world.caller({ ratePerHour: 1_000 })
      const list = await whole(client)
      assert.deepEqual([list.status, leftOf(list)], [200, 999 - cost])
    })

    it('is refused as CSV, and if it costs more than a full hour', async () => {
      const client = await program(await world.build.user(), 5)
      const refused = await whole(client)
      assert.equal(refused.status, 403)
      assert.match(refused.json.message, /costs \d+ requests.*`filter` or `range`/)
      assert.equal((await client.get('/v2/locations?filter[host]=long1', NDJSON)).status, 200)
      assert.equal((await client.get('/v2/locations?filter[host]=long1', CSV)).status, 403)
      assert.equal((await (await program(await world.build.user())).get('/v2/closes', NDJSON)).status, 403)
    })

    it('is sent one at a time beside the lists of staff, and ends if its client is slow and another list waits', async () => {
      const user = await world.build.user()
      const body = await begin(await program(user))
      const other = await program(await world.build.user())
      const statusOf = async (client: Client) => (await client.get('/v2/locations', NDJSON)).status
      assert.equal(await statusOf(await program(user)), 429)
      assert.equal(await statusOf(other), 503)
      const staffBody = await begin(await staffCaller())
      staffBody.destroy()

      const cut = once(body, 'error')
      const now = performance.now.bind(performance)
      mock.method(performance, 'now', () => now() + 61_000)
      try {
        assert.equal(await statusOf(other), 200)
      } finally {
        mock.restoreAll()
      }
      body.resume()
      await cut
      await untilNoneIsOpen()
    })

    it('gives people turns, so that one person cannot have the place again while others wait', async () => {
      const [first, second, third] = [
        await program(await world.build.user()),
        await program(await world.build.user()),
        await program(await world.build.user()),
      ]
      const statusOf = async (client: Client) => (await client.get('/v2/locations?filter[host]=long1', NDJSON)).status
      const now = performance.now.bind(performance)
      let lead = 0
      mock.method(performance, 'now', () => now() + lead)
      try {
        const body = await begin(first)
        assert.deepEqual([await statusOf(second), await statusOf(third), await statusOf(second)], [503, 503, 503])
        body.destroy()
        await until(async () => (await statusOf(first)) === 503)
        assert.equal(await statusOf(third), 503)
        for (const client of [second, third, first]) assert.equal(await statusOf(client), 200)

        const again = await begin(first)
        assert.equal(await statusOf(second), 503)
        again.destroy()
        await until(async () => (await statusOf(first)) === 503)
        lead = 21_000
        assert.equal(await statusOf(first), 200)
      } finally {
        mock.restoreAll()
        await untilNoneIsOpen()
      }
    })
  })
})
