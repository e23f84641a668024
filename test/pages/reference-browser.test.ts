import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createApplication } from '../../src/oauth/applications.ts'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '../support/browser.ts'
import { campus, type World } from '../support/campus.ts'

describe('the reference in a browser', { skip: withoutBrowser }, () => {
  let world: World
  let browser: TestBrowser
  let credentials: { readonly uid: string; readonly secret: string }

  before(async () => {
    world = await campus({ seeded: { users: 40, locations: 80 } })
    browser = await openBrowser(world)
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
    await window.picture('reference-search')
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
    await answer.scrollIntoViewIfNeeded()
    await window.picture('reference-try')
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
      for (const path of [
        '/apidoc',
        '/apidoc/users',
        '/apidoc/scale_teams',
        '/apidoc/guides/staying-under-the-limits',
      ]) {
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
      await window.picture(`reference-sign-in-${light}`)
      assert.deepEqual(window.strayRequests, [])
    })
  }
})
