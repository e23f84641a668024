import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf, type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

const PERSON = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@school.test', kind: 'student' }

describe('the forms of staff', () => {
  let world: World
  let boss: SignedIn
  let student: SignedIn
  let lyon: number
  let nice: number
  before(async () => {
    world = await campus()
    lyon = await world.build.campus({ name: 'Lyon' })
    nice = await world.build.campus({ name: 'Nice' })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    student = await signedInOf(world, { login: 'pupil' })
  })
  after(() => world.close())

  const idOf = (location: string | undefined) => Number(/\/(\d+)$/.exec(location ?? '')?.[1])
  const countOf = async (table: string) => Number((await world.database.rows(`select count(*) from ${table}`))[0]?.[0])
  const shown = async (path: string) => (await boss.browser.get(path)).text

  it('are there for people of kind admin only, to see and to send', async () => {
    const made = await boss.browser.submit('/staff/endpoints/new', { url: 'https://first.example/hooks' })
    const edit = `/staff/endpoints/${idOf(made.location)}/edit`
    const before = [await countOf('users'), await countOf('endpoints')]
    const token = csrfTokenIn(await student.browser.get('/applications/new'))
    for (const [path, fields] of [
      ['/staff/users/new', PERSON],
      ['/staff/endpoints/new', { url: 'https://stolen.example/hooks' }],
      [edit, { url: 'https://stolen.example/hooks' }],
    ] as const) {
      assert.equal((await student.browser.get(path)).status, 403, path)
      assert.match((await visitorOf(world).get(path)).location ?? '', /^\/sign-in/)
      assert.equal((await student.browser.post(path, { csrf_token: token, ...fields })).status, 403, path)
      assert.equal((await boss.browser.post(path, fields)).status, 403, `${path} without a token`)
    }
    assert.deepEqual([await countOf('users'), await countOf('endpoints')], before)
    assert.ok(!(await shown('/staff/endpoints')).includes('stolen'))
    await world.director.delete(`/v2/endpoints/${idOf(made.location)}`)
  })

  it('open an account as the API does, and record who did it', async () => {
    const fields = { ...PERSON, usual_first_name: 'Augusta', campus_id: String(lyon), cursus_id: '', pool_year: '2026' }
    const { location } = await boss.browser.submit('/staff/users/new', fields)
    const id = idOf(location)
    const { json } = await world.staff.get(`/v2/users/${id}`)
    assert.deepEqual(
      [json.login, json.email, json.displayname, json.pool_year, json.correction_point, json.campus[0].name],
      ['alovelac', 'ada@school.test', 'Augusta Lovelace', '2026', 4, 'Lyon'],
    )
    assert.match(await shown(location ?? ''), /The account is open\./)
    const [event] = await auditRecordsConcerning(world.database, id, 5)
    assert.deepEqual(
      [event?.kind, event?.actor, event?.application_id, event?.address !== null],
      ['account_created', 'boss', null, true],
    )
  })

  it('refuse what the API refuses, in its words and with what was typed', async () => {
    const before = await countOf('users')
    const fields = {
      ...PERSON,
      email: 'no address',
      kind: 'king',
      pool_month: 'brumaire',
      campus_id: '9999',
      login: 'A B',
    }
    const page = await boss.browser.submit('/staff/users/new', fields)
    const { json } = await world.director.post('/v2/users', { user: { ...fields, campus_id: 9999 } })
    assert.equal(page.status, 422)
    const reported = new Set([...page.text.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name))
    assert.deepEqual(reported, new Set(Object.keys(json.errors)))
    assert.match(page.text, /value="no address"/)
    assert.equal((await boss.browser.submit('/staff/users/new', { kind: 'student' })).status, 422)
    const taken = await boss.browser.submit('/staff/users/new', {
      ...PERSON,
      email: 'PUPIL@example.org',
      login: 'pupil',
    })
    assert.match(taken.text, /id="login-fault">has already been taken/)
    assert.equal(await countOf('users'), before)
  })

  it('find people by campus, kind and state', async () => {
    const there = await personOf(world, { login: 'there', last_name: 'Findable' })
    const closed = await personOf(world, { login: 'shut', last_name: 'Findable', closed_at: world.clock.now() })
    await personOf(world, { login: 'guest', last_name: 'Findable', kind: 'external' })
    for (const { id } of [there, closed])
      await world.build.record('campus_users', { user_id: id, campus_id: nice, is_primary: true })
    const found = async (query: string) =>
      [
        ...(await shown(`/staff/users?q=findable&${query}`)).matchAll(
          /href="\/staff\/users\/\d+">(?:<img[^>]*>)?(\w+)</g,
        ),
      ].map(([, login]) => login)
    assert.deepEqual(await found(''), ['guest', 'shut', 'there'])
    assert.deepEqual(await found(`campus=${nice}`), ['shut', 'there'])
    assert.deepEqual(await found(`campus=${nice}&state=open`), ['there'])
    assert.deepEqual(await found('state=closed'), ['shut'])
    assert.deepEqual(await found('kind=external'), ['guest'])
    assert.deepEqual(await found('kind=nonsense&state=nonsense&campus=nonsense'), ['guest', 'shut', 'there'])
  })

  it('register a webservice for campuses, change its address, and say nothing of its secret', async () => {
    const fields = {
      url: 'https://users.example/hooks',
      description: 'Lyon',
      secret: 'a long secret',
      campuses: [String(lyon)],
    }
    const made = await boss.browser.submit('/staff/endpoints/new', fields)
    const id = idOf(made.location)
    const campusOf = async (campusId: number) =>
      (await world.database.rows('select endpoint_id from campus where id = $1', [campusId]))[0]?.[0]
    assert.equal(await campusOf(lyon), String(id))
    const edit = `/staff/endpoints/${id}/edit`
    const form = await shown(edit)
    assert.match(form, new RegExp(`value="${lyon}" checked`))
    assert.ok(!form.includes('a long secret'))
    const digest = async () =>
      (await world.database.rows('select secret_digest, active from endpoints where id = $1', [id]))[0]
    const [retained] = (await digest()) ?? []
    await boss.browser.submit(
      `/staff/endpoints/${id}`,
      { active: 'no', confirmed: 'yes' },
      `/staff/endpoints/${id}/switch`,
    )
    await boss.browser.submit(edit, { ...fields, secret: '', campuses: [String(nice)] })
    assert.deepEqual(await digest(), [retained, 'f'], 'it stays off, with its secret')
    assert.deepEqual([await campusOf(lyon), await campusOf(nice)], [null, String(id)])
    await boss.browser.submit(edit, { ...fields, secret: '', url: 'https://other.example/hooks', campuses: [] })
    assert.deepEqual(await digest(), [retained, 't'], 'another address switches it on')
    const log = await shown('/staff/audit?actor=boss&kind=endpoint_changed')
    assert.match(log, /The webservice https:\/\/other\.example\/hooks changed: /)
    assert.match(
      await shown('/staff/audit?kind=endpoint_created'),
      /The webservice https:\/\/users\.example\/hooks registered/,
    )
    assert.ok(!log.includes('a long secret'))
  })

  it('refuse an address of a webservice that the API refuses, and change nothing', async () => {
    const before = await countOf('endpoints')
    for (const url of ['http://users.example/', 'https://me@users.example/', 'nonsense', '']) {
      const page = await boss.browser.submit('/staff/endpoints/new', { url, campuses: [String(lyon)] })
      assert.equal(page.status, 422, url)
      assert.match(page.text, /id="url-fault"/, url)
    }
    const unknown = { url: 'https://users.example/', campuses: ['9999'] }
    assert.equal((await boss.browser.submit('/staff/endpoints/new', unknown)).status, 404)
    assert.equal(await countOf('endpoints'), before)
    assert.equal((await boss.browser.get('/staff/endpoints/9999/edit')).status, 404)
  })

  it('let nobody sign in as somebody else', async () => {
    const { id } = await personOf(world)
    const { text } = await boss.browser.get(`/staff/users/${id}`)
    const forms = [...text.matchAll(/ action="([^"]+)"/g)].map(([, action]) => action)
    assert.deepEqual(new Set(forms), new Set(['/sign-out', `/staff/users/${id}/reset-link`, `/staff/users/${id}`]))
    assert.equal((await visitorOf(world).signIn(boss.login, PASSWORD)).location, '/')
  })
})
