import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { answer, type Receiver, receiver } from '@campus/test/support/receiver'
import type { Route } from 'playwright-core'

const skip = withoutBrowser
const DAY_MS = 86_400_000

let world: World
let browser: TestBrowser
let service: Receiver
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let endpoint: number
before(async () => {
  if (skip) return
  folder = await temporaryFolder()
  service = await receiver()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, service.ca)
  world = await campus({ env: { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: ca } })
  await personOf(world, { login: 'boss', kind: 'admin', first_name: 'Grace', last_name: 'Hopper' })
  endpoint = await world.build.record('endpoints', { url: service.url, description: 'The user store of the campus' })
  await world.build.campus({ name: 'Lyon', endpoint_id: endpoint })
  await world.build.campus({
    name: 'Nice',
    endpoint_id: await world.build.record('endpoints', { url: 'https://users.nice.example/hooks', active: false }),
  })
  await fillLog()
  browser = await openBrowser(world)
})
after(async () => {
  await browser?.close()
  await world?.close()
  await service?.close()
  await folder?.remove()
})

/** Two weeks of deliveries; the last days went badly, until the webservice was given up. */
async function fillLog(): Promise<void> {
  const now = world.clock.now().getTime()
  let number = 0
  for (let ago = 13; ago >= 0; ago -= 1) {
    const at = new Date(now - ago * DAY_MS)
    for (let call = 0; call < 12 + ((ago * 7) % 11); call += 1) {
      number += 1
      const fails = ago < 4 && call % 3 > 0
      const rejected = call % 13 === 12
      const state = fails ? 'dead' : rejected ? 'rejected' : 'delivered'
      const [status, error] = fails ? [null, 'not_answered 15'] : [rejected ? 422 : 204, null]
      const milliseconds = fails ? 15_003 : 14 + (number % 9)
      const attempts = Array.from({ length: fails ? 11 : 1 }, () => ({ at, status, error, milliseconds }))
      await world.build.record('deliveries', {
        endpoint_id: endpoint,
        user_id: number,
        login: `student${number}`,
        event: 'updated',
        state,
        status,
        error,
        tries: attempts.length,
        attempts: JSON.stringify(attempts),
        milliseconds,
        created_at: at,
        updated_at: at,
        decided_at: at,
        last_try_at: at,
        answer: rejected ? '{"error":"login is unknown here"}' : null,
        record: JSON.stringify({
          uid: `student${number}`,
          login: `student${number}`,
          id: number,
          first_name: 'Ada',
          campus: [],
        }),
      })
    }
  }
  await world.database.rows(
    `update endpoints set active = false, switched_off_at = $2,
       switched_off_because = 'failing 143' where id = $1`,
    [endpoint, world.clock.now()],
  )
}

async function signIn({ open, page }: Window): Promise<void> {
  await open('/sign-in')
  await page.getByLabel('Login').fill('boss')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'boss', exact: true }).waitFor()
}

async function look(window: Window, name: string): Promise<void> {
  await window.picture(name)
  await window.assertAccessible()
}

test('staff find a webservice that was given up, switch it on and replay what it missed', { skip }, async () => {
  const window = await browser.window()
  const { page } = window
  await signIn(window)
  await page.getByText('was switched off after').waitFor()
  await look(window, 'home-given-up')
  await window.choose('Staff', 'Webservices')
  await look(window, 'staff-endpoints')
  await page.getByRole('link', { name: 'Lyon' }).click()
  await page.getByText('Given up at').waitFor()
  await look(window, 'staff-endpoint')

  await page.getByLabel('State').selectOption('rejected')
  await page.getByRole('button', { name: 'Show' }).click()
  await page
    .getByRole('link', { name: / updated$/ })
    .first()
    .click()
  await page.getByText('login is unknown here').waitFor()
  await look(window, 'staff-delivery')

  await window.open(`/staff/endpoints/${endpoint}`)
  await page.getByRole('button', { name: /^Switch on and replay \d+ deliveries$/ }).click()
  await page.getByText(/It is switched on\. \d+ deliveries are queued again\./).waitFor()
  // Without being loaded again, and nothing that is being written is lost.
  await page.getByLabel('User, by login or id').fill('half a name')
  await page.getByText('0 waiting, 0 given up').waitFor()
  assert.equal(await page.getByLabel('User, by login or id').inputValue(), 'half a name')
  assert.ok(service.calls.length > 0)
  assert.equal(new Set(service.calls.map(({ id }) => id)).size, service.calls.length)

  service.behave(answer(503, { 'retry-after': '600' }, 'later'))
  await page.getByText('Replay deliveries of a range').click()
  await page.getByLabel('Which').selectOption('rejected')
  await page.getByLabel('From').fill('2026-03-01')
  await look(window, 'staff-endpoint-replay')
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await page.getByText(/\d deliver(y is|ies are) queued again\./).waitFor()
  for (;;) {
    await window.open(`/staff/endpoints/${endpoint}?state=pending`)
    if ((await page.getByText('answered 503').count()) > 0) break
  }
  await look(window, 'staff-endpoint-waiting')
  await page
    .getByRole('link', { name: / updated$/ })
    .first()
    .click()
  await page.getByText('Next attempt').waitFor()
  await look(window, 'staff-delivery-waiting')
  assert.deepEqual(window.strayRequests, [])
})

test('a page shows what changed while its stream was opening', { skip }, async () => {
  const window = await browser.window()
  const { page } = window
  await signIn(window)
  const move = (url: string) => world.database.rows('update endpoints set url = $2 where id = $1', [endpoint, url])
  const opening = Promise.withResolvers<Route>()
  await page.route(`**/staff/endpoints/${endpoint}`, (route) =>
    route.request().headers().accept === 'text/event-stream' ? opening.resolve(route) : route.continue(),
  )
  await window.open(`/staff/endpoints/${endpoint}`)
  const stream = await opening.promise
  await move('https://before.lyon.example/hooks')
  // From here on it is no news to the process that opens the stream.
  await world.database.changes.validate()
  await stream.continue()
  await page.getByText('https://before.lyon.example/hooks').waitFor()
  await move('https://after.lyon.example/hooks')
  await page.getByText('https://after.lyon.example/hooks').waitFor()
})

test('the pages are readable in the dark', { skip }, async () => {
  const window = await browser.window({ dark: true })
  await signIn(window)
  await window.open(`/staff/endpoints/${endpoint}`)
  await look(window, 'dark-staff-endpoint')
})
