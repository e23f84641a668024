import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { createApplication } from '../support/application.ts'
import { openBrowser, type TestBrowser, withoutBrowser } from '../support/browser.ts'
import { campus, type World } from '../support/campus.ts'
import { PASSWORD, personOf } from '../support/people.ts'

const skip = withoutBrowser
const WALL = new URL('../../examples/wall-of-seats.html', import.meta.url)

let world: World
let browser: TestBrowser
/** Serves the page, as any web server would. */
let pages: Server
let address: string
before(async () => {
  if (skip) return
  world = await campus()
  await personOf(world, { login: 'ada' })
  pages = createServer(async (_, answer) => {
    answer.setHeader('content-type', 'text/html')
    answer.end(await readFile(WALL))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => pages.once('listening', resolve))
  address = `http://localhost:${(pages.address() as AddressInfo).port}/wall-of-seats.html`
  browser = await openBrowser(world)
})
after(async () => {
  await browser?.close()
  pages?.closeAllConnections()
  pages?.close()
  await world?.close()
})

it('shows who sits where after signing in, and who comes and goes, without being loaded again', { skip }, async () => {
  const campus_id = await world.build.campus()
  const { uid } = await world.database.transaction((tx) =>
    createApplication(tx, { name: 'Wall', scopes: ['public'], redirect_uris: [address], confidential: false }),
  )
  const sitDown = async (host: string, login: string) => {
    const user_id = await world.build.user({ login })
    const { json } = await world.director.post('/v2/locations', { location: { user_id, campus_id, host } })
    return json.id
  }
  const grace = await sitDown('c1r1s2', 'grace')
  const window = await browser.window()
  const { page } = window
  const seat = (login: string) => page.locator('.seat').filter({ hasText: login })
  await page.goto(`${address}?url=${encodeURIComponent(world.url)}&app=${uid}&campus=${campus_id}`)
  await page.getByLabel('Login').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await seat('grace').waitFor()

  await sitDown('c1r1s10', 'linus')
  await seat('linus').waitFor()
  await window.picture('wall-of-seats')
  await window.assertAccessible()
  await world.director.patch(`/v2/locations/${grace}`, { location: { end_at: world.clock.now() } })
  await seat('grace').waitFor({ state: 'detached' })
  assert.deepEqual(await page.locator('.seat').allInnerTexts(), ['–\nc1r1s2', 'linus\nc1r1s10'])

  // Opened again, it renews its token by itself.
  await page.goto(address)
  await seat('linus').waitFor()
})
