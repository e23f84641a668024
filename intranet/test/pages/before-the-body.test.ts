import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PAGES } from '@campus/test/support/mounted-pages'
import { signedInOf } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'
import { request as send } from 'undici'

/** A body that is a 400 if it is read. */
const UNREADABLE = '%'

const forms = PAGES.filter(({ method }) => method === 'POST')

describe('who may not send a form is refused before it is read:', () => {
  let world: World
  /** Cookies of a browser that has seen a page, and of a student who has signed in. */
  let cookies: { readonly nobody: string; readonly student: string }

  before(async () => {
    world = await campus()
    const nobody = visitorOf(world)
    await nobody.get('/sign-in')
    const { browser: student } = await signedInOf(world, { login: 'ada' })
    const cookieOf = (browser: { readonly cookies: ReadonlyMap<string, string> }) =>
      [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    cookies = { nobody: cookieOf(nobody), student: cookieOf(student) }
  })
  after(() => world.close())

  async function post(path: string, headers: Readonly<Record<string, string>>) {
    const {
      statusCode,
      headers: answered,
      body,
    } = await send(world.url + path.replace(/:\w+/g, '1'), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: world.url, ...headers },
      body: UNREADABLE,
      dispatcher: world.agent,
    })
    await body.dump()
    return { status: statusCode, location: String(answered.location ?? '') }
  }

  for (const { path, access, takesForeignForms } of forms) {
    // The page must read the form to know whether it has a CSRF token.
    if (takesForeignForms) continue
    it(`${path}, ${access}`, async () => {
      assert.equal((await post(path, { cookie: cookies.student, origin: 'https://elsewhere.test' })).status, 403)
      assert.equal((await post(path, { cookie: cookies.student, 'sec-fetch-site': 'cross-site' })).status, 403)
      assert.equal((await post(path, {})).status, 403)
      const asNobody = await post(path, { cookie: cookies.nobody })
      if (access === 'anybody') assert.equal(asNobody.status, 400)
      else {
        assert.equal(asNobody.status, 303)
        assert.match(asNobody.location, /^\/sign-in\?return_to=%2F/)
      }
      assert.equal((await post(path, { cookie: cookies.student })).status, access === 'staff' ? 403 : 400)
    })
  }
})
