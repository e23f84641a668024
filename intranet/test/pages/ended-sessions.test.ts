/** A session that ended elsewhere: the sign-in says so, and leads back to the page. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PAGES } from '@campus/test/support/mounted-pages'
import { PASSWORD, signedInOf } from '@campus/test/support/people'
import { protectedPerson } from '@campus/test/support/second-factor'
import { csrfTokenIn, type Page, visitorOf } from '@campus/test/support/visitor'
import { Sealer } from '../../services/sealing/sealer.ts'

const ENDED = /Your session has ended\. Sign in again to continue\./
const LOST = /nothing of your form was saved/

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

const returnToOf = ({ location }: Page) => new URL(location ?? '', world.url).searchParams.get('return_to')

/** Somebody whose session has ended elsewhere, and the token of the forms that are still open. */
async function endedSession() {
  const one = await signedInOf(world, { kind: 'admin' })
  const csrf_token = csrfTokenIn(await one.browser.get('/security'))
  const end = () => world.database.rows('delete from sessions where user_id = $1', [one.id])
  await end()
  return { ...one, csrf_token, end }
}

describe('a session that ended elsewhere', () => {
  it('is mentioned once, and the sign-in leads back to the page', async () => {
    const { browser, login } = await endedSession()
    const sent = await browser.get('/agenda?view=month')
    assert.equal(sent.location, `/sign-in?return_to=${encodeURIComponent('/agenda?view=month')}`)
    assert.match((await browser.get(sent.location ?? '')).text, ENDED)
    assert.doesNotMatch((await browser.get('/sign-in')).text, ENDED)
    assert.equal((await browser.signIn(login, PASSWORD, '/agenda?view=month')).location, '/agenda?view=month')
    assert.doesNotMatch((await browser.get('/agenda')).text, ENDED)
  })

  it('is mentioned again when it happens again', async () => {
    const { browser, login, end } = await endedSession()
    await browser.signIn(login, PASSWORD)
    await browser.get('/')
    await end()
    assert.match((await browser.get('/sign-in')).text, ENDED)
  })

  it('is mentioned to nobody who had none, or who signed out here', async () => {
    const stranger = visitorOf(world)
    assert.doesNotMatch((await stranger.get('/sign-in')).text, ENDED)
    const { browser } = await signedInOf(world)
    await browser.submit('/', {}, '/sign-out')
    assert.doesNotMatch((await browser.get('/sign-in')).text, ENDED)
  })

  it('says that a form was lost, and links back to the page of the form', async () => {
    const { browser, csrf_token } = await endedSession()
    const fields = { csrf_token, name: 'Map' }
    const sent = await browser.post('/applications/new', fields)
    assert.equal(returnToOf(sent), '/applications/new')
    const { text } = await browser.get(sent.location ?? '')
    assert.match(text, LOST)
    assert.match(text, ENDED)
    assert.deepEqual(await world.database.rows("select 1 from applications where name = 'Map'"), [])
    const referer = (path: string) => ({ referer: world.url + path })
    const renew = (path: string) => browser.post('/agenda', { csrf_token, wish: 'renew' }, referer(path))
    assert.equal(returnToOf(await renew('/agenda?view=month')), '/agenda?view=month')
    const end = (path: string) => browser.post('/security/end-session', { csrf_token }, referer(path))
    assert.equal(returnToOf(await end('/security/end-session')), '/security')
    assert.equal(
      returnToOf(await browser.post('/agenda', { csrf_token }, { referer: 'https://evil.test/x' })),
      '/agenda',
    )
  })

  it('links from every form to a page that can be opened', async () => {
    const { browser, csrf_token } = await endedSession()
    const paths = PAGES.filter(({ method, access }) => method === 'POST' && access !== 'anybody').map(
      ({ path }) => path,
    )
    for (const path of paths) {
      const to = returnToOf(await browser.post(path.replace(/:\w+/g, '1'), { csrf_token })) ?? ''
      const { status, text } = await visitorOf(world).get(to)
      assert.ok(status === 200 || status === 303, `${path} leads to ${to}: ${status} ${text}`)
    }
    assert.ok(paths.length > 30, String(paths.length))
  })
})

describe('a sign-in that has expired', () => {
  it('says so instead of a bare form', async () => {
    const { login } = await protectedPerson(world, new Sealer(Buffer.alloc(32, 7)))
    const browser = visitorOf(world)
    assert.equal((await browser.signIn(login, PASSWORD)).location, '/sign-in/code')
    const csrf_token = csrfTokenIn(await browser.get('/sign-in/code'))
    world.clock.advance(601)
    assert.equal((await browser.post('/sign-in/code', { csrf_token, code: '123456' })).location, '/sign-in')
    assert.match((await browser.get('/sign-in')).text, /This sign-in has expired/)
  })
})
