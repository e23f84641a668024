import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createApplication } from '../support/application.ts'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '../support/browser.ts'
import { campus, type World } from '../support/campus.ts'
import { type Flow, flowOf, PASSWORD_OF_ALL } from '../support/flow.ts'

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

  /** Signs in with the application, as somebody would who has its id and secret at hand. */
  async function signIn({ page }: Window, secret = credentials.secret) {
    if (
      !(await page
        .locator('.sign-in')
        .getAttribute('open')
        .then((open) => open !== null))
    ) {
      await page.locator('.sign-in summary').click()
    }
    await page.getByLabel('Client id').fill(credentials.uid)
    await page.getByLabel('Client secret').fill(secret)
    await page.getByRole('button', { name: 'Sign in as the application' }).click()
  }

  test('an endpoint is found by search, tried with an application of one’s own, and answers', async () => {
    const window = await browser.window()
    const { page } = window
    await window.open('/apidoc')
    await signIn(window)
    await page.getByText(/Signed in \(public\) until/).waitFor()

    await page.getByRole('searchbox').fill('locations')
    await page.locator('.found a').first().waitFor()
    await window.picture('reference-search', page.locator('body'))
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('.found a').first().click()
    await page.getByRole('heading', { name: 'locations', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, '/apidoc/locations#list')

    const action = page.locator('#list')
    await action.getByText('Try it').click()
    await action.getByLabel('Endpoint').selectOption('GET /v2/campus/{campus_id}/locations')
    await action.getByLabel('campus_id', { exact: true }).fill('1')
    await action.getByLabel('Parameters', { exact: true }).fill('per_page=2&sort=id')
    await action.getByRole('button', { name: 'Send' }).click()
    const answer = action.locator('.result pre')
    await answer.waitFor()
    const text = (await answer.textContent()) ?? ''
    const direct = await world.visitor.get('/v2/campus/1/locations?per_page=2&sort=id')
    assert.ok(text.includes(JSON.stringify(direct.json, null, 2)), text)
    assert.ok(text.includes(`X-Total: ${direct.headers.get('x-total')}`), text)
    await window.picture('reference-try', action.locator('.try'))
    assert.deepEqual(window.strayRequests, [])
  })

  test('what is tried without a token, or with a wrong secret, is refused in words', async () => {
    const window = await browser.window()
    const { page } = window
    await window.open('/apidoc/users')
    await page.locator('#list').getByText('Try it').click()
    await page.locator('#list').getByRole('button', { name: 'Send' }).click()
    await page.locator('#list .result').getByText('401').first().waitFor()
    await page.getByText('Sign in above, then send it again.').waitFor()
    await signIn(window, 'not-it')
    await page.locator('.signed-in.problem').waitFor()
    assert.match((await page.locator('.signed-in').textContent()) ?? '', /secret|client/i)
  })

  test('credentials and token are kept in memory only', async () => {
    const window = await browser.window()
    await window.open('/apidoc')
    await signIn(window)
    await window.page
      .getByText(/Signed in/)
      .first()
      .waitFor()
    const kept = await window.page.evaluate(
      '[localStorage, sessionStorage].map((area) => JSON.stringify(area)).join() + location.href',
    )
    const cookies = JSON.stringify(await window.page.context().cookies())
    for (const place of [String(kept), cookies]) {
      assert.ok(
        !place.includes(credentials.uid) && !place.includes(credentials.secret) && !place.includes('token'),
        place,
      )
    }
    await window.page.reload()
    assert.equal(await window.page.locator('.signed-in').textContent(), '')
  })

  test('going back shows the page before, and the token is still there', async () => {
    const window = await browser.window()
    const { page } = window
    await window.open('/apidoc/users')
    await signIn(window)
    await page.getByText(/Signed in \(/).waitFor()
    await page.locator('.side').getByRole('link', { name: 'campus', exact: true }).click()
    await page.getByRole('heading', { name: 'campus', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'users', level: 1 }).waitFor()
    await page.locator('#show').getByText('Try it').click()
    await page.locator('#show').getByLabel('id', { exact: true }).fill('1')
    await page.locator('#show').getByRole('button', { name: 'Send' }).click()
    await page.locator('#show .result').getByText('200').first().waitFor()
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
    await page.locator('.sign-in summary').click()
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
      await page.getByText(/Signed in \(public\) until/).waitFor()

      await page.locator('#me').getByText('Try it').click()
      await page.locator('#me').getByRole('button', { name: 'Send' }).click()
      const me = page.locator('#me .result pre')
      await me.waitFor()
      assert.match((await me.textContent()) ?? '', new RegExp(`"login": "${credentials.person.login}"`))

      await page.locator('.side').getByRole('link', { name: 'locations', exact: true }).click()
      await page.getByRole('heading', { name: 'locations', level: 1 }).waitFor()
      const action = page.locator('#create')
      await action.getByText('Try it').click()
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
        /hots is not accepted; did you mean host\?/,
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
    await page.getByText(/Signed in \(public\) until/).waitFor()
    assert.deepEqual(window.strayRequests, [])
  })

  test('everything can be read and searched without scripts', async () => {
    const window = await browser.window({ scripts: false })
    const { page } = window
    await window.open('/apidoc/locations')
    assert.ok(await page.locator('#list .response').first().isVisible())
    assert.equal(await page.getByText('Try it').first().isVisible(), false)
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
      for (const path of ['/apidoc', ...resources, '/apidoc/guides/staying-under-the-limits']) {
        await window.open(path)
        for (const details of await window.page.locator('.try').all()) {
          await details.evaluate((element: unknown) => Object.assign(element as object, { open: true }))
        }
        await window.assertAccessible()
        await window.picture(`reference${path.replaceAll('/', '-').replace('-apidoc', '')}-${light}`)
        await window.page.setViewportSize({ width: 1280, height: 800 })
      }
      await window.page.locator('.sign-in summary').click()
      await window.assertAccessible()
      await window.picture(`reference-sign-in-${light}`, window.page.locator('body'))
      assert.deepEqual(window.strayRequests, [])
    })
  }
})
