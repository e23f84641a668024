import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PAGES } from '@campus/test/support/mounted-pages'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'

/** The page at this path with something in each place. */
const filled = (path: string) => path.replace(':resource', 'users').replace(':login', 'ada').replace(/:\w+/g, '1')

describe('every page', () => {
  let world: World
  let ada: SignedIn
  let boss: SignedIn
  before(async () => {
    world = await campus({})
    ada = await signedInOf(world, { login: 'ada' })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
  })
  after(() => world.close())

  const ofMethod = (method: 'GET' | 'POST', access: string) =>
    PAGES.filter((page) => page.method === method && page.access === access)

  it('of staff is for staff alone, to read and to send', async () => {
    const visitor = visitorOf(world)
    const csrf_token = csrfTokenIn(await ada.browser.get('/security/password'))
    assert.ok(ofMethod('GET', 'staff').length > 20)
    for (const { path } of ofMethod('GET', 'staff')) {
      assert.equal((await ada.browser.get(filled(path))).status, 403, path)
      assert.match(String((await visitor.get(filled(path))).location), /^\/sign-in/, path)
    }
    for (const { path } of ofMethod('POST', 'staff')) {
      assert.equal((await ada.browser.post(filled(path), { csrf_token })).status, 403, path)
      assert.match(
        String((await visitor.post(filled(path), { csrf_token })).location ?? '/sign-in'),
        /^\/sign-in/,
        path,
      )
    }
  })

  it('for people asks visitors to sign in, and takes no form of theirs', async () => {
    const visitor = visitorOf(world)
    await visitor.get('/sign-in')
    for (const { path } of ofMethod('GET', 'signed-in'))
      assert.match(String((await visitor.get(filled(path))).location), /^\/sign-in/, path)
    const tables = await world.database.rows('select relname, n_tup_ins from pg_stat_user_tables')
    assert.ok(tables.length > 0)
    for (const { path } of ofMethod('POST', 'signed-in'))
      assert.ok([303, 403].includes((await visitor.post(filled(path), { csrf_token: 'x' })).status), path)
  })

  it('takes no form without its token, or from elsewhere', async () => {
    for (const { path, access, takesForeignForms } of PAGES.filter(({ method }) => method === 'POST')) {
      const { browser } = access === 'staff' ? boss : ada
      for (const headers of [{}, { origin: 'https://evil.example' }] as Record<string, string>[]) {
        const { status, location } = await browser.post(filled(path), { wish: 'x' }, headers)
        if (takesForeignForms) assert.deepEqual([status, location], [303, `${path}?wish=x`])
        else assert.equal(status, 403, path)
      }
    }
  })

  it('is closed to a closed account at once, whatever its rights were', async () => {
    const closed = await signedInOf(world, { login: 'closed', kind: 'admin' })
    assert.equal((await closed.browser.get('/staff/users')).status, 200)
    const close = { close: { user_id: closed.id, kind: 'other', reason: 'x' } }
    const closer = await world.caller({ roles: ['Advanced Staff', 'Advanced Tutor'], scopes: ['public', 'tig'] })
    assert.equal((await closer.post('/v2/closes', close)).status, 201)
    for (const { path } of [...ofMethod('GET', 'staff'), ...ofMethod('GET', 'signed-in')])
      assert.match(String((await closed.browser.get(filled(path))).location), /^\/sign-in/, path)
  })

  it('of staff without a role writes nothing that the API would not let them', async () => {
    // In a school of several campuses staff are no administrators.
    await world.build.campus()
    await world.build.campus()
    const clerk = await signedInOf(world, { login: 'clerk', kind: 'admin' })
    await world.database.rows('delete from administrators where user_id = $1', [clerk.id])
    const csrf_token = csrfTokenIn(await clerk.browser.get('/security/password'))
    const sums = () =>
      world.database.rows(
        `select (select count(*) from clusters), (select count(*) from closes), (select max(updated_at) from users where id = $1)`,
        [ada.id],
      )
    const before = await sums()
    for (const path of [
      '/staff/records/clusters/new',
      `/staff/records/users/${ada.id}/edit`,
      `/staff/records/users/${ada.id}/delete`,
      '/staff/records/users/several',
      `/staff/users/${ada.id}`,
      '/staff/import/new/clusters',
      '/staff/seats/1',
    ]) {
      const fields = { csrf_token, name: 'x', campus_id: '1', kind: 'other', reason: 'x', status: 'x', wish: 'kiosk' }
      const { status } = await clerk.browser.post(path, { ...fields, screen: 'x', ids: [String(ada.id)] })
      assert.ok(status >= 400 || status === 303 || status === 200, `${path}: ${status}`)
    }
    assert.deepEqual(await sums(), before)
    assert.deepEqual(await world.database.rows('select count(*) from kiosks'), [['0']])
  })
})
