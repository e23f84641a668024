import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf, type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'
import { createApplication } from '../../oauth/applications/create.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

describe('the pages of staff', () => {
  let world: World
  let boss: SignedIn
  let student: SignedIn
  before(async () => {
    world = await campus()
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    student = await signedInOf(world, { login: 'pupil' })
  })
  after(() => world.close())

  const register = (name: string, ownerId: number | null = student.id) =>
    world.database.transaction((tx) =>
      createApplication(tx, { values: { name }, ownerId, actor: { userId: ownerId }, now: world.clock.now() }),
    )

  const eventsOf = async (id: number) =>
    (await auditRecordsConcerning(world.database, id, 50)).map(({ kind, actor }) => `${kind} by ${actor}`)

  const rolesHeaderOf = async ({ uid, secret }: { readonly uid: string; readonly secret: string | null }) => {
    const body = { grant_type: 'client_credentials', client_id: uid, client_secret: secret }
    const { access_token } = (await world.anonymous.post('/oauth/token', body)).json
    const { headers } = await world.anonymous.get('/v2/campus', { authorization: `Bearer ${access_token}` })
    return [headers.get('x-application-roles'), headers.get('x-hourly-ratelimit-limit')]
  }

  it('are there for people of kind admin only, to see and to send', async () => {
    const { id } = await register('Seat finder')
    const token = csrfTokenIn(await student.browser.get('/applications/new'))
    const paths = ['/staff/applications', `/staff/applications/${id}`, '/staff/users', `/staff/users/${boss.id}`]
    for (const path of paths) {
      assert.equal((await student.browser.get(path)).status, 403, path)
      assert.match((await visitorOf(world).get(path)).location ?? '', /^\/sign-in/)
      assert.equal((await boss.browser.get(path)).status, 200, path)
    }
    const forms = [
      [`/staff/applications/${id}`, { roles: ['11'] }],
      [`/staff/users/${boss.id}`, { kind: 'other', reason: 'revenge' }],
      ...['unclose', 'reset-link', 'remove-second-factor'].map(
        (last) => [`/staff/users/${boss.id}/${last}`, {}] as const,
      ),
    ] as const
    for (const [path, fields] of forms) {
      assert.equal((await student.browser.post(path, { csrf_token: token, ...fields })).status, 403, path)
      assert.equal((await boss.browser.post(path, fields)).status, 403, `${path} without a token`)
    }
    const rows = await world.database.rows('select count(*) from application_roles where application_id = $1', [id])
    assert.deepEqual(rows, [['0']])
    assert.deepEqual(await eventsOf(boss.id), ['signed_in by boss'])
    const entries = (await student.browser.get('/')).text
    assert.ok(!entries.includes('/staff/'))
    assert.ok((await boss.browser.get('/')).text.includes('href="/staff/users"'))
  })

  it('give an application roles and rates, in force at its next call and recorded for its owner', async () => {
    const made = await register('Exam bot')
    assert.deepEqual(await rolesHeaderOf(made), ['None', '1200'])
    const path = `/staff/applications/${made.id}`
    const saved = await boss.browser.submit(path, { roles: ['7', '16'], rate_per_second: '', rate_per_hour: '' })
    assert.equal(saved.location, path)
    assert.deepEqual(await rolesHeaderOf(made), ['Basic Staff, Official App', '12000'])
    await boss.browser.submit(path, { roles: ['7'], rate_per_second: '100', rate_per_hour: '5000' })
    assert.deepEqual(await rolesHeaderOf(made), ['Basic Staff', '5000'])
    const events = await eventsOf(student.id)
    assert.deepEqual(events.slice(0, 3), ['rates_changed by boss', 'roles_changed by boss', 'roles_changed by boss'])
    const { text } = await student.browser.get(`/applications/${made.id}`)
    assert.match(text, /Roles of “Exam bot”: given Basic Staff, Official App/)
    assert.match(text, /Rates of “Exam bot” set to 100 a second, 5000 an hour/)
    assert.match(text, /by boss/)
    // The boss's location is hidden.
    assert.equal(text.match(/from 127\.0\.0\.1/g), null)
  })

  it('show a refused form again with what was typed, and change nothing', async () => {
    const made = await register('Quiet corner')
    const path = `/staff/applications/${made.id}`
    const page = await boss.browser.submit(path, { roles: ['19'], rate_per_second: 'many', rate_per_hour: '7' })
    assert.equal(page.status, 422)
    assert.match(page.text, /id="rate_per_second-fault">must be a positive whole number/)
    assert.match(page.text, /value="many"/)
    assert.match(page.text, /value="19" checked/)
    assert.equal((await boss.browser.submit(path, { roles: ['9999'] })).status, 422)
    assert.equal((await boss.browser.submit(path, { roles: ['x'] })).status, 422)
    assert.equal((await boss.browser.submit(path, { roles: ['19'], rate_per_hour: '0' })).status, 422)
    const row = await world.database.rows(
      'select rate_per_hour, (select count(*) from application_roles where application_id = id) from applications where id = $1',
      [made.id],
    )
    assert.deepEqual(row, [[null, '0']])
  })

  it('delete a client without an owner, if they are administrators, and say what follows', async () => {
    const clerk = await signedInOf(world, { login: 'clerk', kind: 'admin' })
    // In a school of one campus, all staff are administrators.
    for (const name of ['Lisbon', 'Porto']) await world.build.campus({ name })
    await world.database.rows('delete from administrators where user_id = $1', [clerk.id])
    const [[id] = []] = await world.database.rows(
      `insert into applications (name, uid, confidential, redirect_uris)
       values ('Terminal', 'self-registered-1', false, '{http://127.0.0.1/}') returning id`,
    )
    const path = `/staff/applications/${id}`
    const link = `href="${path}/delete"`
    assert.ok(!(await clerk.browser.get(path)).text.includes(link))
    assert.equal((await clerk.browser.submit(`${path}/delete`, {})).status, 403)
    assert.ok((await boss.browser.get(path)).text.includes(link))
    assert.match((await boss.browser.get(`${path}/delete`)).text, /has to ask everybody again/)
    assert.equal((await boss.browser.submit(`${path}/delete`, {})).location, '/staff/applications')
    assert.deepEqual(await world.database.rows('select 1 from applications where id = $1', [id]), [])
  })

  it('find applications by name and owner, and people by login, name and address', async () => {
    await register('Whale watch')
    const applications = async (q: string) => (await boss.browser.get(`/staff/applications?q=${q}`)).text
    assert.match(await applications('whale'), />Whale watch</)
    assert.match(await applications('pupil'), />Whale watch</)
    assert.match(await applications('zzzz'), /No application matches/)
    await personOf(world, { login: 'zoe', first_name: 'Zoë', last_name: 'Quist', email: 'z@else.test' })
    const people = async (q: string) => (await boss.browser.get(`/staff/users?q=${q}`)).text
    for (const q of ['zoe', 'QUIST', 'else.test']) assert.match(await people(q), />zoe</)
    assert.match(await people('%25'), /Nobody found/)
  })

  it('close an account, which ends its sessions and tokens, and open it again', async () => {
    const victim = await signedInOf(world)
    const token = await world.caller({ user: victim.id })
    assert.equal((await token.get('/v2/me')).status, 200)
    const path = `/staff/users/${victim.id}`
    const refused = await boss.browser.submit(path, { kind: 'whim', reason: ' ' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /id="reason-fault">can(&#39;|')t be blank/)
    assert.equal((await token.get('/v2/me')).status, 200)
    assert.equal((await boss.browser.submit(path, { kind: 'other', reason: 'Moved away' })).location, path)
    assert.equal((await token.get('/v2/me')).status, 401)
    assert.match((await victim.browser.get('/applications')).location ?? '', /^\/sign-in/)
    assert.match((await boss.browser.get(path)).text, /other: Moved away/)
    assert.equal((await boss.browser.submit(path, {}, `${path}/unclose`)).location, path)
    assert.equal((await visitorOf(world).signIn(victim.login, PASSWORD)).location, '/')
    const events = (await eventsOf(victim.id)).filter((event) => event.startsWith('account'))
    assert.deepEqual(events, ['account_unclosed by boss', 'account_closed by boss'])
  })

  it('do not close one’s own account', async () => {
    const page = await boss.browser.submit(
      `/staff/users/${student.id}`,
      { kind: 'other', reason: 'x' },
      `/staff/users/${boss.id}`,
    )
    assert.equal(page.status, 422)
    assert.match(page.text, /You cannot close your own account/)
    assert.equal((await boss.browser.get('/staff/users')).status, 200)
  })

  it('make a link with which a person chooses a password, once', async () => {
    const forgetful = await personOf(world)
    const path = `/staff/users/${forgetful.id}`
    const page = await boss.browser.submit(path, {}, `${path}/reset-link`)
    const link = /id="link">([^<]+)</.exec(page.text)?.[1] ?? ''
    assert.ok(link.startsWith(world.url))
    const browser = visitorOf(world)
    const passwords = { password: 'quite another thing', password_again: 'quite another thing' }
    const set = await browser.submit(link.slice(world.url.length), passwords)
    assert.equal(set.location, '/sign-in')
    assert.equal((await browser.signIn(forgetful.login, 'quite another thing')).location, '/')
    assert.equal((await visitorOf(world).get(link.slice(world.url.length))).status, 404)
    assert.deepEqual((await eventsOf(forgetful.id)).slice(1), ['password_reset by null', 'reset_link_created by boss'])
  })

  it('switch off the second factor of somebody who lost their phone', async () => {
    const unlucky = await personOf(world)
    await world.database.rows(
      "insert into second_factors (user_id, sealed_secret, created_at, confirmed_at) values ($1, 'x', now(), now())",
      [unlucky.id],
    )
    const path = `/staff/users/${unlucky.id}`
    await boss.browser.submit(path, { confirmed: 'yes' }, `${path}/remove-second-factor`)
    assert.equal((await visitorOf(world).signIn(unlucky.login, PASSWORD)).location, '/')
    assert.ok((await eventsOf(unlucky.id)).includes('second_factor_disabled by boss'))
  })

  it('lead to every page within two clicks from Home', async () => {
    const linksIn = (text: string) => [...text.matchAll(/(?:href|action)="(\/[^"?#]*)/g)].map(([, path = '']) => path)
    await register('Own thing', boss.id)
    const seen = new Set(linksIn((await boss.browser.get('/')).text))
    for (const path of [...seen]) {
      if (path.startsWith('/v2') || path.startsWith('/assets') || path.startsWith('/.well') || path === '/sign-out')
        continue
      for (const link of linksIn((await boss.browser.get(path)).text)) seen.add(link)
    }
    const shapes = new Set([...seen].map((path) => path.replace(/\/\d+/g, '/:id')))
    for (const path of [
      ...[
        '/applications',
        '/applications/new',
        '/applications/:id',
        '/applications/:id/edit',
        '/applications/:id/secret',
      ],
      ...['/applications/:id/delete', '/authorisations', '/public-applications', '/security', '/security/password'],
      ...[
        '/security/second-factor',
        '/staff/applications',
        '/staff/applications/:id',
        '/staff/users',
        '/staff/users/:id',
        '/staff/users/new',
        '/staff/endpoints/new',
        '/staff/audit',
        '/staff/audit/export',
        '/applications/:id/sessions',
      ],
      '/v2/openapi.json',
    ]) {
      assert.ok(shapes.has(path), `${path} is further away`)
    }
  })
})
