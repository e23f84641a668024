import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { signedInOf } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'

const FRENCH = { 'accept-language': 'fr, en;q=0.5' }
const ENGLISH = { 'accept-language': 'en' }

describe('A page', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  it('is in the language that the browser wishes, and says which that is', async () => {
    const browser = visitorOf(world)
    const french = await browser.get('/sign-in', FRENCH)
    assert.equal(french.heading, 'Se connecter')
    assert.match(french.text, /<html lang="fr">/)
    assert.equal(french.headers.get('content-language'), 'fr')
    assert.equal(french.headers.get('cache-control'), 'no-store')
    const english = await browser.get('/sign-in', ENGLISH)
    assert.equal(english.heading, 'Sign in')
    assert.equal(english.headers.get('content-language'), 'en')
  })

  it('is in the language that was chosen by hand from then on, whatever the browser wishes', async () => {
    const browser = visitorOf(world)
    assert.match((await browser.get('/sign-in', ENGLISH)).text, /<a href="\/language\/fr" lang="fr"/)
    const chosen = await browser.get('/language/fr', { referer: `${world.url}/sign-in?return_to=%2Fsecurity` })
    assert.deepEqual([chosen.status, chosen.location], [303, '/sign-in?return_to=%2Fsecurity'])
    const line = chosen.headers.getSetCookie().find((one) => one.startsWith('__Host-campus-language='))
    assert.match(line ?? '', /^__Host-campus-language=fr; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    assert.equal((await browser.get('/sign-in', ENGLISH)).heading, 'Se connecter')
    assert.equal((await browser.get('/no-such-page', ENGLISH)).heading, 'Page introuvable')
    assert.equal((await browser.get('/language/en')).location, '/')
    assert.equal((await browser.get('/sign-in', FRENCH)).heading, 'Sign in')
  })

  it('leads nowhere else when a language is chosen, and knows those alone that there are', async () => {
    const browser = visitorOf(world)
    for (const referer of ['https://evil.test/x', 'https://', `${world.url}//evil.test`, `${world.url}/\\evil.test`])
      assert.equal((await browser.get('/language/fr', { referer })).location, '/', referer)
    for (const name of ['de', 'constructor', '__proto__', 'fr%0d%0aX: y'])
      assert.equal((await browser.get(`/language/${name}`)).status, 404, name)
  })

  it('says what a form refuses in the language of its reader, and the API in English', async () => {
    const { browser } = await signedInOf(world)
    await browser.get('/language/fr')
    const form = { current_password: 'x', password: 'short', password_again: 'short' }
    const refused = await browser.submit('/security/password', form)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Cela n’a pas pu être fait/)
    assert.match(refused.text, /Mot de passe actuel\u00a0: est faux/)
    const unlike = await browser.submit('/security/password', { ...form, password_again: 'other' })
    assert.match(unlike.text, /n’est pas identique/)
    const { status, json } = await world.director.post('/v2/users', { user: { login: '' } }, FRENCH)
    assert.equal(status, 422)
    assert.doesNotMatch(JSON.stringify(json), /doit/)
  })

  it('leaves its notice in the language of its reader', async () => {
    const { browser } = await signedInOf(world)
    await browser.get('/language/fr')
    await browser.submit('/', {}, '/sign-out')
    assert.match((await browser.get('/')).text, /<p class="notice" role="status">Vous êtes déconnecté\.<\/p>/)
  })
})
