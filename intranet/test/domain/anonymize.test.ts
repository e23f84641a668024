import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callsMade } from '@campus/test/support/calls-made'
import { campus, type World } from '@campus/test/support/campus'
import { flowOf } from '@campus/test/support/oauth-flow'
import { PASSWORD } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'
import { renamePasskey } from '../../access/passkeys.ts'
import { makeAdministrator } from '../../access/powers.ts'
import { anonymizeUser } from '../../school/domain/accounts/anonymize.ts'
import { declaredRegistry } from '../../school/resources/declared.ts'
import { sweep } from '../../server/app/housekeeping.ts'

/** In each value that says who somebody is. */
const NAME = 'wexford'

/** Texts beside a person that stay: what they did or wrote, what others wrote, and what names nobody. */
const STAYS: Readonly<Record<string, string>> = {
  access_tokens: 'digests and scopes',
  logout_notices: 'which session of which application has ended, until the application knows',
  openid_sessions: 'end with the sessions of the account',
  sealed_secrets: 'sealed, until the calls are made that they go along with',
  password_resets: 'digests, which end with the account',
  sessions: 'end with the account',
  token_families: 'scopes, and how somebody had signed in',
}

const byNobody = { actor: { userId: null } }

describe('somebody who is anonymized', () => {
  let world: World
  before(async () => {
    // Mail is queued, and waits for a server.
    const mail = { CAMPUS_MAIL_URL: 'smtp://127.0.0.1:9', CAMPUS_MAIL_FROM: 'campus@campus.test' }
    world = await campus({ seeded: true, env: mail })
    await world.database.rows('update endpoints set active = true')
  })
  after(() => world.close())

  const rows = (sql: string, values: readonly unknown[] = []) => world.database.rows(sql, values)
  const anonymize = (userId: number) => anonymizeUser(world.database, { userId, ...byNobody, now: world.clock.now() })

  /** Tables with the name in them, of those that hold what is done as long as it is done. */
  async function tablesNaming(name: string): Promise<readonly string[]> {
    const tables = await rows(`select table_name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
    const naming: string[] = []
    for (const [table] of tables) {
      const [found] = await rows(`select 1 from "${table}" t where t::text ilike '%${name}%' limit 1`)
      if (found) naming.push(String(table))
    }
    return naming
  }

  /** Nothing is left of what calls are made of. */
  const callsAreMade = async () => {
    await callsMade(world.database)
    await rows('select purge_change_log()')
  }

  const decideDeliveries = async (id: number) => {
    await callsAreMade()
    await rows(`update deliveries set state = 'delivered', decided_at = now() where user_id = $1`, [id])
  }

  async function personNamed(name: string) {
    const flow = flowOf(world)
    const person = await flow.person({
      ...{ login: name, email: `${name}@example.org`, first_name: name, last_name: name, usual_first_name: name },
      ...{ phone: `+1 ${name}`, image: `/uploads/users/${name}.svg`, status: name },
    })
    return { flow, ...person }
  }

  it('leaves no word of who they were, and all that they did', async () => {
    const { flow, id, login, get } = await personNamed(NAME)
    await get('/', { 'user-agent': `Browser of ${NAME}` })
    await visitorOf(world).submit('/forgot-password', { login })
    const app = await flow.application()
    await flow.tokens(await personIn(login), app)
    const [[endpoint, campusId] = []] = await rows(
      'select e.id, c.id from campus c join endpoints e on e.id = c.endpoint_id limit 1',
    )
    await world.director.post(`/v2/users/${id}/set_primary_campus`, { campus_id: Number(campusId) })
    await world.director.patch(`/v2/users/${id}`, { user: { email: `${NAME}@elsewhere.example` } })
    await decideDeliveries(id)
    await rows(
      `insert into callbacks (endpoint_id, user_id, url, initial_data, response_data)
       values ($1, $2, 'https://127.0.0.1:9', $3, $3)`,
      [endpoint, id, JSON.stringify({ login })],
    )
    // Receivers may repeat what they were sent, also about somebody else.
    const hook = await world.build.record('webhooks', {
      ...{ application_id: app.id, model: 'location', relation: 'locations', event: 'create', secret: '' },
      url: 'https://hooks.example.org/',
    })
    for (const answer of [`{"login": "${NAME}"}`, `Hello ${NAME.toUpperCase()}!`])
      await world.build.record('webhook_deliveries', { webhook_id: hook, record_id: 1, state: 'delivered', answer })
    await rows(
      `insert into deliveries (endpoint_id, user_id, login, event, record, state, decided_at, answer)
       select $1, id, login, 'updated', '{}', 'rejected', now(), $2 from users where id <> $3 limit 1`,
      [endpoint, `who is ${NAME}?`, id],
    )
    await rows(
      `insert into school_identities (issuer, subject, user_id, created_at) values ('https://id.example', $2, $1, now())`,
      [id, NAME],
    )
    await rows(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name, backup_eligible, backed_up, created_at)
       values ($1, '', '', 0, '{}', $2, false, false, now())`,
      [id, NAME],
    )
    const renaming = { userId: id, name: `Phone of ${NAME}`, actor: { userId: id }, now: world.clock.now() }
    const [[passkey] = []] = await rows('select id from passkeys where user_id = $1', [id])
    await world.database.transaction((tx) => renamePasskey(tx, { ...renaming, id: Number(passkey) }))
    await rows(
      `insert into internships (user_id, start_at, end_at, user_address, user_city, convention_url)
       values ($1, now(), now() + interval '1 day', $2, $2, $2)`,
      [id, NAME],
    )
    await rows(
      `insert into certificates_users (certificate_id, user_id, certificate_number, certified_at, pdf, qrcode)
       select id, $1, 4711, now(), $2, $2 from certificates limit 1`,
      [id, `/${NAME}.pdf`],
    )
    const before = await world.staff.get(`/v2/users/${id}`)
    assert.match(before.text, new RegExp(NAME))
    assert.ok((await tablesNaming(NAME)).includes('deliveries'))
    assert.equal(await anonymize(id), `3b3-${id}`)
    // The campus hears of the close and of the new name first.
    await callsAreMade()
    assert.deepEqual(await tablesNaming(NAME), ['deliveries'])
    await decideDeliveries(id)
    await sweep(world.database, world.clock.now())
    assert.deepEqual(await tablesNaming(NAME), [])
    const { status, json, text } = await world.staff.get(`/v2/users/${id}`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, new RegExp(NAME))
    assert.equal(json['active?'], false)
    assert.match(json.anonymize_date, /^\d{4}-/)
    assert.equal(json.displayname, `3b3 ${id}`)
    assert.deepEqual(json.campus, before.json.campus)
    assert.equal((await world.staff.get(`/v2/users/${NAME}`)).status, 404)
    const [audited] = await rows(`select count(*) from audit_events where subject_id = $1 and kind = $2`, [
      id,
      'account_anonymized',
    ])
    assert.equal(audited?.[0], '1')
  })

  async function personIn(login: string) {
    const browser = visitorOf(world)
    await browser.signIn(login, PASSWORD)
    return browser
  }

  it('has texts in no other table than those that are known to name nobody', async () => {
    const found = await rows(`
      select distinct t.relname from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0
      where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and not a.attisdropped
        and a.atttypid in ('text'::regtype, 'jsonb'::regtype, 'json'::regtype, 'inet'::regtype, 'bytea'::regtype)
        and (exists (select from pg_constraint where conrelid = t.oid and confrelid = 'users'::regclass and contype = 'f')
          or exists (select from pg_attribute where attrelid = t.oid and attname ~ '^(user|author|actor|subject)_id$'))`)
    const CLEARED = ['audit_events', 'callbacks', 'certificates_users', 'deliveries', 'internships', 'known_browsers']
    const GONE = [
      'import_drafts',
      'mails',
      'notification_mails',
      'notifications',
      'passkey_handles',
      'passkeys',
      'profile_pictures',
      'recovery_codes',
      'scale_teams',
      'school_identities',
      'second_factors',
    ]
    const retained = declaredRegistry().resources.flatMap(({ table, retainedTexts }) => (retainedTexts ? table : []))
    const known = [...CLEARED, ...GONE, ...Object.keys(STAYS), ...retained].sort()
    assert.deepEqual(found.map(([table]) => String(table)).sort(), known)
  })

  it('is no administrator of the school', async () => {
    const id = await world.build.user({ kind: 'admin' })
    await world.database.transaction((tx) => makeAdministrator(tx, { userId: id, ...byNobody, now: world.clock.now() }))
    await assert.rejects(anonymize(id), { status: 422 })
  })

  it('stays as they are where staff open the account again before the name is removed', async () => {
    const name = 'tramore'
    const { id } = await personNamed(name)
    let transactions = 0
    const transaction: World['database']['transaction'] = async (work) => {
      transactions += 1
      if (transactions === 2) {
        const close = (await rows('select id from closes where user_id = $1', [id]))[0]?.[0]
        assert.equal((await world.director.patch(`/v2/closes/${close}/unclose`, {})).status, 204)
      }
      return world.database.transaction(work)
    }
    const database = { ...world.database, transaction }
    const now = world.clock.now()
    await assert.rejects(anonymizeUser(database, { userId: id, ...byNobody, now }), { status: 422 })
    assert.equal((await world.staff.get(`/v2/users/${name}`)).json.first_name, name)
    const [account] = await rows('select password_digest is not null from users where id = $1', [id])
    assert.equal(account?.[0], 't')
  })

  it('is anonymized while they act, and acts no more', async (t) => {
    const counted = async () =>
      Number((await rows('select deadlocks from pg_stat_database where datname = current_database()'))[0]?.[0])
    const before = await counted()
    const failed: string[] = []
    const calls = new Map<string, number>()
    const noteStatus = (what: string, status: number) => {
      const key = `${what} ${status}`
      calls.set(key, (calls.get(key) ?? 0) + 1)
      if (status >= 500) failed.push(key)
    }
    for (const round of [1, 2, 3, 4]) {
      const name = `${NAME}${'abcd'[round - 1]}`
      const { flow, id, login, ...browser } = await personNamed(name)
      const app = await flow.application()
      const tokens = await flow.tokens({ ...browser }, app)
      const caller = await world.caller({
        user: id,
        roles: ['Advanced Tutor'],
        scopes: ['public', 'forum', 'projects'],
      })
      let refresh = tokens.refresh_token
      const acts: readonly (() => Promise<{ readonly status: number }>)[] = [
        () => caller.get('/v2/me'),
        () => caller.post('/v2/slots', { slot: { user_id: id, ...slotAt(world, calls.size) } }),
        () => caller.post('/v2/topics', { topic: { name: 'Hm', author_id: id } }),
        () => browser.get('/security'),
        () =>
          browser.submit(
            '/security',
            { current_password: PASSWORD, password: 'another battery' },
            '/security/password',
          ),
        () => visitorOf(world).submit('/forgot-password', { login }),
        () => visitorOf(world).submit('/sign-in', { login, password: PASSWORD }),
        () => flow.ask(browser, app),
        async () => {
          const answer = await flow.exchange(app, { grant_type: 'refresh_token', refresh_token: refresh })
          if (answer.status === 200) refresh = answer.json.refresh_token
          return answer
        },
        () => world.director.patch(`/v2/users/${id}`, { user: { correction_point: calls.size } }),
        () => world.director.post(`/v2/users/${id}/alumnize`, {}),
        () => world.director.post(`/v2/users/${id}/correction_points/add`, { amount: 1, reason: 'Help' }),
      ]
      let isOver = false
      const acting = acts.map(async (act, at) => {
        while (!isOver) {
          // A form that is gone with the session.
          const { status } = await act().catch(() => ({ status: 0 }))
          noteStatus(`act ${at}`, status)
        }
      })
      await new Promise((resolve) => setTimeout(resolve, 300))
      await anonymize(id)
      const after = await Promise.all([caller.get('/v2/me'), browser.get('/security')])
      assert.equal(after[0].status, 401)
      assert.match(after[1].location ?? '', /^\/sign-in/)
      await new Promise((resolve) => setTimeout(resolve, 200))
      isOver = true
      await Promise.all(acting)
      const inForce = await rows(
        `select 1 from sessions where user_id = $1 union all
         select 1 from access_tokens where resource_owner_id = $1 and revoked_at is null union all
         select 1 from users where id = $1 and password_digest is not null`,
        [id],
      )
      assert.deepEqual(inForce, [])
      await callsAreMade()
      assert.deepEqual(await tablesNaming(name), [])
    }
    t.diagnostic(
      [...calls]
        .sort()
        .map((one) => one.join(': '))
        .join(', '),
    )
    assert.deepEqual(failed, [])
    // The database says so at most once a second.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    assert.equal((await counted()) - before, 0, 'deadlocks')
  })
})

/** A span of half an hour that nobody else has asked for. */
function slotAt({ clock }: World, number: number) {
  const begin = clock.now().getTime() + (number % 100) * 3_600_000 + 3_600_000
  return { begin_at: new Date(begin).toISOString(), end_at: new Date(begin + 1_800_000).toISOString() }
}
