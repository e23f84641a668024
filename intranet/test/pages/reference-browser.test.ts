import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createApplication } from '@campus/test/support/application'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { type Flow, flowOf, PASSWORD_OF_ALL } from '@campus/test/support/oauth-flow'
import { RELEASE_ONLY } from '@campus/test/support/release-only'
import type { Locator } from 'playwright-core'
import { createApplication as createOwned } from '../../oauth/applications/create.ts'

describe('the reference in a browser', { skip: withoutBrowser }, () => {
  let world: World
  let browser: TestBrowser
  let flow: Flow
  let credentials: { readonly uid: string; readonly secret: string }

  before(async () => {
    world = await campus({ seeded: true })
    browser = await openBrowser(world)
    flow = flowOf(world)
    credentials = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Reader', rate_per_second: 1000, rate_per_hour: 100_000 }),
    )
  })
  after(async () => {
    await browser.close()
    await world.close()
  })

  /** Opens the choice of who sends, at the credentials of any application. */
  async function openCredentials({ page }: Window) {
    const sender = page.locator('details.sender')
    await page.locator('.choice-of-sender').waitFor({ state: 'attached' })
    if ((await sender.getAttribute('open')) === null) await sender.locator(':scope > summary').click()
    const other = page.locator('details.sign-in')
    if ((await other.getAttribute('open')) === null) await other.locator(':scope > summary').click()
  }

  /** Signs in with the application, as somebody would who has its id and secret at hand. */
  async function signIn(window: Window, secret = credentials.secret) {
    const { page } = window
    await openCredentials(window)
    await page.getByLabel('Client id').fill(credentials.uid)
    await page.getByLabel('Client secret').fill(secret)
    await page.getByRole('button', { name: 'Sign in as the application' }).click()
  }

  const signedIn = ({ page }: Window) => page.locator('details.sender > summary').getByText('Console: public').waitFor()

  const openConsole = async ({ page }: Window, action: string) => {
    const folded = page.locator(`details.endpoint:not([open]):has(${action}) > summary`)
    if ((await folded.count()) > 0) await folded.click()
    await page.locator(`${action} .try > summary`).click()
    return page.locator(action)
  }

  test('an endpoint is found by search, and asked by choosing a filter, an order and a page', async () => {
    const window = await browser.window()
    const { page } = window
    await window.open('/apidoc')
    await signIn(window)
    await signedIn(window)

    await page.locator('h1').click()
    await page.keyboard.press('/')
    await page.keyboard.type('locations')
    await page.locator('.found a').first().waitFor()
    await window.picture('reference-search', page.locator('body'))
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('.found a').first().click()
    await page.getByRole('heading', { name: 'locations', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, '/apidoc/locations#list')

    const action = await openConsole(window, '#list')
    await action.getByLabel('Endpoint').selectOption('GET /v2/campus/{campus_id}/locations')
    await action.getByLabel('campus_id', { exact: true }).fill('1')
    for (const remove of await action.getByRole('button', { name: 'Remove page' }).all()) await remove.click()
    await action.getByLabel('per_page', { exact: true }).fill('2')
    await action.getByLabel('Ask for').selectOption('filter[active]')
    await action.getByLabel('filter[active]', { exact: true }).selectOption('false')
    await action.getByLabel('Ask for').selectOption('range[id]')
    await action.getByLabel('range[id] from', { exact: true }).fill('2')
    await action.getByLabel('Ask for').selectOption('sort id')
    await action.getByLabel('sort id', { exact: true }).selectOption('descending')
    const asked = '/v2/campus/1/locations?per_page=2&filter[active]=false&range[id]=2,&sort=-id'
    await action.locator('.address').getByText(`GET ${asked}`).waitFor()
    await action.getByRole('button', { name: 'Send' }).click()
    const answer = action.locator('.result pre')
    await answer.waitFor()
    const text = (await answer.textContent()) ?? ''
    const direct = await world.visitor.get(asked)
    assert.equal(direct.status, 200)
    assert.ok(text.includes(JSON.stringify(direct.json, null, 2)), text)
    assert.ok(text.includes(`X-Total: ${direct.headers.get('x-total')}`), text)
    await window.picture('reference-try', action.locator('.try'))
    assert.deepEqual(window.strayRequests, [])
  })

  test('whoever is signed in sends with an application of theirs, on every page, until the tab is closed', async () => {
    const window = await browser.window()
    const { page } = window
    const person = await flow.person({})
    await world.database.transaction((tx) =>
      createOwned(tx, {
        values: { name: 'Noise map', scopes: ['public'] },
        ownerId: person.id,
        actor: { userId: person.id },
        now: world.clock.now(),
      }),
    )
    await window.open('/sign-in?return_to=/apidoc/users')
    await page.getByLabel('Login').fill(person.login)
    await page.getByLabel('Password').fill(PASSWORD_OF_ALL)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'users', level: 1 }).waitFor()
    await page.locator('header').getByText(person.login).first().waitFor()
    const action = await openConsole(window, '#me')
    await action.getByText(`${person.login} · Noise map`).waitFor()
    await action.getByRole('button', { name: 'Send' }).click()
    await action.locator('.result .status.good').getByText('200').waitFor()
    assert.match((await action.locator('.result pre').textContent()) ?? '', new RegExp(`"login": "${person.login}"`))
    const tokens = () =>
      world.database.rows('select count(*) from access_tokens where resource_owner_id = $1', [person.id])
    const given = await tokens()
    await page.locator('.index').getByRole('link', { name: 'titles', exact: true }).click()
    await page.getByRole('heading', { name: 'titles', level: 1 }).waitFor()
    await page.reload()
    const list = await openConsole(window, '#list')
    await page.locator('details.sender > summary').getByText('Noise map').waitFor()
    await list.getByRole('button', { name: 'Send' }).click()
    await list.locator('.result .status.good').getByText('200').waitFor()
    assert.deepEqual(await tokens(), given)
    await window.choose(person.login, 'Sign out')
    await page.getByText('You are signed out.').waitFor()
    await window.open('/apidoc/titles')
    await page.locator('.choice-of-sender').waitFor({ state: 'attached' })
    await openConsole(window, '#list')
    await page.locator('#list').getByRole('button', { name: 'Send' }).click()
    await page.locator('#list .result').getByText('401').first().waitFor()
    assert.deepEqual(window.strayRequests, [])
  })

  for (const dark of [false, true]) {
    const light = dark ? 'dark' : 'light'
    test(`an application is registered and makes its first call in five clicks from Home, ${light}`, {
      skip: dark && RELEASE_ONLY,
    }, async () => {
      const window = await browser.window({ dark })
      const { page } = window
      const person = await flow.person({})
      await window.open('/sign-in')
      await page.getByLabel('Login').fill(person.login)
      await page.getByLabel('Password').fill(PASSWORD_OF_ALL)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: /^Welcome/ }).waitFor()

      const clicks = { count: 0 }
      const click = async (target: Locator) => {
        clicks.count += 1
        await target.click()
      }
      await click(page.getByRole('link', { name: 'Register an application' }))
      await page.getByLabel('Name', { exact: true }).fill('Noise map')
      await click(page.getByRole('button', { name: 'Register' }))
      await page.getByRole('heading', { name: 'Noise map is registered' }).waitFor()
      const bar = page.getByRole('navigation', { name: 'Main' })
      await click(bar.getByRole('button', { name: 'Developers' }))
      await click(bar.getByText('API reference', { exact: true }))
      const call = page.locator('.first-call')
      await call.getByText(`${person.login} · Noise map`).waitFor()
      await window.assertAccessible()
      await click(call.getByRole('button', { name: 'Send' }))
      await call.locator('.result .status.good').getByText('200').waitFor()
      assert.equal(clicks.count, 5)
      assert.match((await call.locator('.result pre').textContent()) ?? '', /"time_zone"/)
      await window.assertAccessible()
      await window.picture(`reference-first-call-${light}`)
      assert.deepEqual(window.strayRequests, [])
    })
  }

  test('what is tried without a token, or with a wrong secret, is refused in words', async () => {
    const window = await browser.window()
    const { page } = window
    await window.open('/apidoc/users')
    const action = await openConsole(window, '#list')
    await action.getByRole('button', { name: 'Send' }).click()
    await action.locator('.result').getByText('401').first().waitFor()
    await page.getByText('Choose above who sends it, then send it again.').waitFor()
    await page.getByText('Sign in, and send requests with an application of yours.').waitFor()
    await signIn(window, 'not-it')
    await page.locator('.signed-in.problem').waitFor()
    assert.match((await page.locator('.signed-in').textContent()) ?? '', /secret|client/i)
  })

  test('credentials are kept nowhere, and the token in this tab alone', async () => {
    const window = await browser.window()
    const { page } = window
    await window.open('/apidoc')
    await signIn(window)
    await signedIn(window)
    const lasting = String(await page.evaluate('JSON.stringify(localStorage) + location.href'))
    const ofTab = String(await page.evaluate('JSON.stringify(sessionStorage)'))
    const cookies = JSON.stringify(await page.context().cookies())
    for (const place of [lasting, ofTab, cookies])
      assert.ok(!place.includes(credentials.uid) && !place.includes(credentials.secret), place)
    const token = /[0-9a-f]{64}/.exec(ofTab)?.[0]
    assert.ok(token)
    assert.ok(!lasting.includes(token) && !cookies.includes(token))
    await page.reload()
    await signedIn(window)
    await page.locator('details.sender > summary').click()
    await page.getByRole('button', { name: 'Forget the token' }).click()
    assert.doesNotMatch(String(await page.evaluate('JSON.stringify(sessionStorage)')), /[0-9a-f]{64}/)
  })

  test('an example is shown in the language that was chosen before, and is copied whole', async () => {
    const window = await browser.window()
    const { page } = window
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await window.open('/apidoc/campus')
    const samples = page.locator('#list .samples')
    await samples.getByText('Python', { exact: true }).click()
    await window.open('/apidoc/users#create')
    const shown = page.locator('#create .samples')
    const code = shown.locator('pre[aria-label=Python]')
    assert.ok(await code.isVisible())
    await shown.getByRole('button', { name: 'Copy' }).click()
    await shown.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), await code.textContent())
  })

  test('a resource shows all its endpoints at a glance, and a link into a folded one opens it', async () => {
    const window = await browser.window()
    const { page } = window
    await window.open('/apidoc/users')
    const summaries = page.locator('.endpoint > summary')
    assert.ok((await summaries.count()) > 10)
    assert.equal(await page.locator('.endpoint[open]').count(), 1)
    assert.ok(Number(await page.evaluate('document.documentElement.scrollHeight')) < 6_000)
    await page.locator('.index a[href="#change"]').click()
    await page.locator('#change').waitFor()
    for (const sample of await page.locator('.endpoint[open] .samples pre').all())
      assert.ok(
        await sample.evaluate(
          (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth <= element.clientWidth,
        ),
      )
  })

  test('nothing on a page moves while it comes, and its first paint is soon', async () => {
    const window = await browser.window()
    const { page } = window
    await page.addInitScript(
      'window.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.moved += entry.value }).observe({ type: "layout-shift", buffered: true })',
    )
    for (const path of ['/apidoc', '/apidoc/users', '/apidoc/guides/the-web-flow', '/apidoc/errors']) {
      await window.open(path)
      await page.locator('.choice-of-sender').waitFor({ state: 'attached' })
      assert.equal(await page.evaluate('window.moved'), 0, path)
    }
  })

  /** An application that comes back to the reference, and somebody who works for the school. */
  async function reader(isPublic: boolean) {
    const application = await flow.application({
      name: 'Reader of the reference',
      redirect_uris: [`${world.url}/apidoc/callback`],
      confidential: !isPublic,
      roles: ['Basic Staff'],
    })
    const person = await flow.person({ kind: 'admin' })
    return { application, person }
  }

  /** Signs in with the web flow, in the window that the reference opens for it. */
  async function signInAsPerson(window: Window, { application, person }: Awaited<ReturnType<typeof reader>>) {
    const { page } = window
    await openCredentials(window)
    await page.getByLabel('Client id').fill(application.uid)
    if (application.secret) await page.getByLabel('Client secret').fill(application.secret)
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Sign in as yourself' }).click(),
    ])
    await popup.getByLabel('Login').fill(person.login)
    await popup.getByLabel('Password').fill(PASSWORD_OF_ALL)
    await popup.getByRole('button', { name: 'Sign in' }).click()
    await popup.getByRole('button', { name: 'Allow', exact: true }).waitFor()
    return popup
  }

  for (const isPublic of [true, false]) {
    const kind = isPublic ? 'without a secret' : 'with a secret'
    test(`somebody signs in as themselves with an application ${kind}, writes, and sees what was refused`, async () => {
      const window = await browser.window({ dark: isPublic })
      const shade = isPublic ? 'dark' : 'light'
      const { page } = window
      const credentials = await reader(isPublic)
      await window.open('/apidoc/users')
      const popup = await signInAsPerson(window, credentials)
      await Promise.all([
        popup.waitForEvent('close'),
        popup.getByRole('button', { name: 'Allow', exact: true }).click(),
      ])
      await signedIn(window)

      await openConsole(window, '#me')
      await page.locator('#me').getByRole('button', { name: 'Send' }).click()
      const me = page.locator('#me .result pre')
      await me.waitFor()
      assert.match((await me.textContent()) ?? '', new RegExp(`"login": "${credentials.person.login}"`))

      const index = page.locator('.index')
      await index.getByText('Campuses', { exact: true }).click()
      await index.getByRole('link', { name: 'locations', exact: true }).click()
      await page.getByRole('heading', { name: 'locations', level: 1 }).waitFor()
      const action = await openConsole(window, '#create')
      const host = `console-${isPublic}`
      const payload = { location: { user_id: credentials.person.id, campus_id: 1, host } }
      await action.getByLabel('Payload (JSON)').fill(JSON.stringify(payload, null, 2))
      await action.getByRole('button', { name: 'Send' }).click()
      await action.locator('.result .status.good').getByText('201').waitFor()
      const rows = await world.database.rows(`select id from locations where host = '${host}'`)
      assert.equal(rows.length, 1)
      assert.match((await action.locator('.result pre').textContent()) ?? '', new RegExp(`"id": ${rows[0]?.[0]},`))
      await window.picture(`reference-written-${shade}`, action.locator('.try'))

      await action.getByLabel('Payload (JSON)').fill('{"location": {"hots": "c1"}}')
      await action.getByRole('button', { name: 'Send' }).click()
      await action.locator('.result .status.bad').getByText('422').waitFor()
      assert.match(
        (await action.locator('.result pre').textContent()) ?? '',
        /hots is not accepted; did you mean \\?"host\\?"\?/,
      )
      await window.assertAccessible()
      await window.picture(`reference-refused-${shade}`, action.locator('.result'))
      assert.deepEqual(window.strayRequests, [])
    })
  }

  test('whoever refuses consent, or closes the window, is told so and can try again', async () => {
    const window = await browser.window()
    const { page } = window
    const credentials = await reader(true)
    await window.open('/apidoc/users')
    const popup = await signInAsPerson(window, credentials)
    await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name: 'Do not allow' }).click()])
    await page.locator('.signed-in.problem').waitFor()
    assert.match((await page.locator('.signed-in').textContent()) ?? '', /denied|refused/i)

    const [second] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Sign in as yourself' }).click(),
    ])
    await second.getByRole('button', { name: 'Allow', exact: true }).waitFor()
    await second.close()
    await page.getByText('The window was closed before the sign-in was completed.').waitFor()

    const [third] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Sign in as yourself' }).click(),
    ])
    await Promise.all([third.waitForEvent('close'), third.getByRole('button', { name: 'Allow', exact: true }).click()])
    await signedIn(window)
    assert.deepEqual(window.strayRequests, [])
  })

  test('everything can be read and searched without scripts', async () => {
    const window = await browser.window({ scripts: false })
    const { page } = window
    await window.open('/apidoc/locations')
    assert.ok(await page.locator('#list .response').first().isVisible())
    assert.equal(await page.getByText('Try it').first().isVisible(), false)
    // The tabs are buttons of a form, which need no script.
    await page.locator('#list .samples').getByText('Ruby', { exact: true }).click()
    assert.ok(await page.locator('#list .samples pre[aria-label=Ruby]').isVisible())
    assert.equal(await page.locator('#list .samples pre[aria-label=curl]').isVisible(), false)
    await page.getByRole('searchbox').fill('unclose')
    await page.getByRole('searchbox').press('Enter')
    await page.locator('.findings a').first().click()
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, '/apidoc/closes#unclose')
    assert.deepEqual(window.strayRequests, [])
  })

  for (const dark of [false, true]) {
    const light = dark ? 'dark' : 'light'
    test(`it is accessible and fits a phone, ${light}`, async () => {
      const window = await browser.window({ dark })
      // In the dark only the colours differ, and a short page has them all.
      const resources = dark ? ['/apidoc/campus'] : ['/apidoc/closes']
      for (const path of ['/apidoc', ...resources, '/apidoc/guides/staying-under-the-limits', '/apidoc/errors']) {
        await window.open(path)
        for (const details of await window.page.locator('.try, .endpoint').all()) {
          await details.evaluate((element: unknown) => Object.assign(element as object, { open: true }))
        }
        await window.assertAccessible()
        await window.picture(`reference${path.replaceAll('/', '-').replace('-apidoc', '')}-${light}`)
        await window.page.setViewportSize({ width: 1280, height: 800 })
      }
      await openCredentials(window)
      await window.assertAccessible()
      await window.picture(`reference-sign-in-${light}`, window.page.locator('body'))
      assert.deepEqual(window.strayRequests, [])
    })
  }
})
