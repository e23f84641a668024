import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { presenceOf } from '../../school/domain/school/campus-dashboard.ts'

describe('what staff see at a glance', () => {
  let world: World
  let boss: SignedIn
  let teacher: SignedIn
  let ada: SignedIn
  let here: number
  before(async () => {
    world = await campus({})
    here = await world.build.campus({ name: 'Lisbon' })
    // In a school of one campus all staff are administrators.
    await world.build.campus({ name: 'Porto' })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    teacher = await signedInOf(world, { login: 'teacher', kind: 'admin' })
    await world.database.rows('delete from administrators where user_id = $1', [teacher.id])
    await world.build.record('campus_users', { user_id: teacher.id, campus_id: here, is_primary: true })
    ada = await signedInOf(world, { login: 'ada', pool_year: '2026', pool_month: 'february' })
    await world.build.record('campus_users', { user_id: ada.id, campus_id: here, is_primary: true })
    const cursus_id = await world.build.cursus({ kind: 'main' })
    await world.build.record('cursus_users', { user_id: ada.id, cursus_id, begin_at: '2026-01-01T00:00:00Z' })
    const sit = (host: string, begin_at: string, end_at: string | null) =>
      world.build.record('locations', { user_id: ada.id, campus_id: here, host, begin_at, end_at, primary: true })
    await sit('c1r1s1', '2026-02-01T08:10:00Z', '2026-02-01T09:20:00Z')
    await sit('c1r1s2', '2026-02-27T08:10:00Z', '2026-02-27T10:20:00Z')
    await sit('c1r1s3', '2026-03-02T08:30:00Z', null)
  })
  after(() => world.close())

  it('counts who is present backwards from who is there now', async () => {
    const { hours } = await presenceOf(world.database, {
      campusId: here,
      now: world.clock.now(),
      timeZone: 'UTC',
    })
    const at = (time: string) => hours.find((one) => one.at.toISOString() === `${time}:00.000Z`)?.present
    assert.deepEqual(
      [
        '2026-02-27T07:00',
        '2026-02-27T08:00',
        '2026-02-27T09:00',
        '2026-02-27T10:00',
        '2026-03-02T07:00',
        '2026-03-02T08:00',
        '2026-03-02T10:00',
      ].map(at),
      [0, 1, 1, 0, 0, 1, 1],
    )
    assert.equal(hours.length, 7 * 24 + 1)
  })

  it('of a campus is for staff: presence, pools, and whom nobody has seen', async () => {
    const path = `/staff/campuses/${here}`
    assert.equal((await ada.browser.get(path)).status, 403)
    assert.equal((await ada.browser.get(`${path}/not-seen.csv`)).status, 403)
    assert.equal((await boss.browser.get('/staff/campuses/99999')).status, 404)
    assert.equal((await boss.browser.get(path)).status, 200)
    assert.equal((await ada.browser.get(`${path}/pools`)).status, 403)
    const seen = (await boss.browser.get(`${path}/pools`)).text
    assert.match(seen, /February 2026/)
    assert.match(seen, /1 \(100 %\)/)
    const away = `${path}/not-seen`
    assert.match((await boss.browser.get(away)).text, /Everybody who takes part in a cursus was here/)
    await world.database.rows(`delete from locations where begin_at > '2026-02-10'`)
    assert.match((await boss.browser.get(away)).text, /href="\/staff\/users\/\d+"/)
    assert.equal((await ada.browser.get(away)).status, 403)
    const { text } = await boss.browser.get(`${path}/not-seen.csv`)
    assert.match(text, /^\ufeff"login","name","last_seen_at"\r?\n"ada",.*2026-02-01T08:10:00.000Z/)
  })

  it('downloads tables as CSV with the byte order mark that Excel needs, unlike the API', async () => {
    for (const path of [
      `/staff/campuses/${here}/not-seen.csv`,
      '/staff/audit/export',
      '/staff/records/users/export/csv',
    ])
      assert.match((await boss.browser.get(path)).text, /^\ufeff"?\w/, path)
    assert.match((await boss.browser.get('/staff/records/users/export/ndjson')).text, /^{/)
    const { text } = await world.staff.get('/v2/users', { accept: 'text/csv' })
    assert.match(text, /^"?id/)
  })

  it('of the service is for administrators: what the doctor finds, what waits, and who does what', async () => {
    assert.equal((await ada.browser.get('/staff/doctor')).status, 403)
    assert.equal((await teacher.browser.get('/staff/doctor')).status, 403)
    const { status, text } = await boss.browser.get('/staff/doctor')
    assert.equal(status, 200)
    assert.match(text, /PostgreSQL \d+/)
    for (const word of ['Mails', 'Webhooks to campuses', 'Webhooks to applications', 'PDFs to read'])
      assert.ok(text.includes(word), word)
    assert.doesNotMatch(text, /postgres(ql)?:|secret(?! key<)/)
  })

  it('of roles says what each lets people do, as the API does', async () => {
    const role = await world.database.rows(`select id from roles where name = 'Basic Staff'`)
    await world.build.record('roles_users', { user_id: teacher.id, role_id: role[0]?.[0] })
    const { text } = await boss.browser.get('/staff/roles')
    const basic = /id="Basic-Staff">([\s\S]*?)<\/section>/.exec(text)?.[1] ?? ''
    assert.match(basic, /<dt>Creates<\/dt>\s*<dd>[\s\S]*?href="\/staff\/records\/locations"/)
    assert.match(basic, /href="\/staff\/users\/\d+">.*teacher/)
    const advanced = /id="Advanced-Staff">([\s\S]*?)<\/section>/.exec(text)?.[1] ?? ''
    assert.match(advanced, /It includes Basic Staff/)
    // With each listed role the API allows the action, and without it refuses.
    const [having, lacking] = [
      await world.caller({ roles: ['Basic Staff'], scopes: ['public', 'tig', 'forum', 'projects', 'profile'] }),
      await world.caller({ scopes: ['public', 'tig', 'forum', 'projects', 'profile'] }),
    ]
    const reads = /<dt>Reads<\/dt>\s*<dd>([\s\S]*?)<\/dd>/.exec(basic)?.[1] ?? ''
    const resources = [...reads.matchAll(/\/staff\/records\/(\w+)"/g)].map(([, name]) => name)
    assert.ok(resources.length > 3)
    for (const name of resources) {
      assert.notEqual((await having.get(`/v2/${name}`)).status, 403, name)
      assert.equal((await lacking.get(`/v2/${name}`)).status, 403, name)
    }
  })
})
