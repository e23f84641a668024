/** Checks that staff reach daily tasks from Home in few clicks. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { type Receiver, receiver } from '@campus/test/support/receiver'
import type { Locator } from 'playwright-core'

const skip = withoutBrowser

let world: World
let browser: TestBrowser
let service: Receiver
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  if (skip) return
  folder = await temporaryFolder()
  service = await receiver()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, service.ca)
  world = await campus({ env: { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: ca } })
  await personOf(world, { login: 'boss', kind: 'admin', first_name: 'Grace', last_name: 'Hopper' })
  browser = await openBrowser(world)
})
after(async () => {
  await browser?.close()
  await world?.close()
  await service?.close()
  await folder?.remove()
})

/** Home of staff, and what counts the clicks from there on. */
async function begin(): Promise<{ window: Window; click(target: Locator): Promise<void>; clicks(): number }> {
  const window = await browser.window()
  const { page } = window
  await window.open('/sign-in')
  await page.getByLabel('Login').fill('boss')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome, Grace Hopper' }).waitFor()
  let clicks = 0
  return {
    window,
    async click(target) {
      clicks += 1
      await target.click()
    },
    clicks: () => clicks,
  }
}

test('somebody sees why a call to a campus failed and resends it, in three clicks', { skip }, async () => {
  const endpoint = await world.build.record('endpoints', { url: service.url, active: true })
  await world.build.campus({ name: 'Lyon', endpoint_id: endpoint })
  const at = world.clock.now()
  const error = 'not_answered 15'
  await world.build.record('deliveries', {
    endpoint_id: endpoint,
    user_id: 7,
    login: 'ada',
    event: 'updated',
    state: 'dead',
    error,
    tries: 1,
    attempts: JSON.stringify([{ at, status: null, error, milliseconds: 15_003 }]),
    milliseconds: 15_003,
    created_at: at,
    updated_at: at,
    decided_at: at,
    last_try_at: at,
    record: JSON.stringify({ uid: 'ada', login: 'ada', id: 7, first_name: 'Ada', campus: [] }),
  })
  const { window, click, clicks } = await begin()
  const { page } = window
  await page.reload()
  await click(page.getByRole('region', { name: 'Needs a decision' }).getByRole('link', { name: 'Lyon' }))
  await click(page.getByRole('link', { name: 'ada updated' }))
  await page.getByText('no complete answer within 15 s').first().waitFor()
  await click(page.getByRole('button', { name: 'Replay' }))
  await page.getByText('It is queued again.').waitFor()
  assert.equal(clicks(), 3)
  for (;;) {
    await page.reload()
    if ((await page.getByText('delivered', { exact: true }).count()) > 0) break
  }
  assert.equal(service.calls.length, 1)
})

test('somebody closes an account, in five clicks', { skip }, async () => {
  const { id } = await personOf(world, { login: 'pupil', first_name: 'Rosalind', last_name: 'Franklin' })
  const { window, click, clicks } = await begin()
  const { page } = window
  const bar = page.getByRole('navigation', { name: 'Main' })
  await click(bar.getByRole('button', { name: 'Staff', exact: true }))
  await click(bar.getByText('Users', { exact: true }))
  await page.getByLabel('Login, name or e-mail address').fill('franklin')
  await page.keyboard.press('Enter')
  await click(page.getByRole('link', { name: 'pupil' }))
  await click(page.getByText('Close the account', { exact: true }))
  await page.getByLabel('Reason').fill('Moved to another school')
  await click(page.getByRole('button', { name: 'Close the account of pupil' }))
  await page.getByText('The account of pupil is closed.').waitFor()
  assert.equal(clicks(), 5)
  const [row] = await world.database.rows('select closed_at is not null from users where id = $1', [id])
  assert.deepEqual(row, ['t'])
  assert.deepEqual(window.strayRequests, [])
})

test('a record is found by two conditions, changed, and shows who changed it, in eight clicks', { skip }, async () => {
  await personOf(world, { login: 'mmusterm', first_name: 'Max', last_name: 'Mustermann', pool_year: '2025' })
  await personOf(world, { login: 'mmeier', first_name: 'Max', last_name: 'Meier', pool_year: '2024' })
  const { window, click, clicks } = await begin()
  const { page } = window
  await click(page.getByRole('button', { name: 'Staff', exact: true }))
  await click(page.getByRole('link', { name: /^Records/ }))
  await click(page.getByRole('link', { name: 'Users', exact: true }))
  for (const [field, value] of [
    ['first_name', 'Max'],
    ['pool_year', '2025'],
  ] as const) {
    await page.getByLabel('Field').selectOption(field)
    await page.getByLabel('Value').fill(value)
    await click(page.getByRole('button', { name: 'Add' }))
    await page.getByText(`${field} is ${value}`).waitFor()
  }
  await page.getByText('1 to 1 of 1').waitFor()
  await window.assertAccessible()
  await click(page.getByRole('row', { name: /mmusterm/ }).getByRole('link'))
  await click(page.getByRole('link', { name: 'Change', exact: true }))
  await window.assertAccessible()
  await page.getByLabel('first_name', { exact: true }).fill('Maximilian')
  await click(page.getByRole('button', { name: 'Change' }))
  await page.getByText('Changed first_name: PATCH /v2/users/').waitFor()
  await page.getByText(/^users \d+ changed: first_name/).waitFor()
  await page.getByText('by boss').waitFor()
  await window.assertAccessible()
  assert.equal(clicks(), 8)
  assert.deepEqual(window.strayRequests, [])
  const rows = await world.database.rows(`select login from users where first_name = 'Maximilian'`)
  assert.deepEqual(rows, [['mmusterm']])
})

test('a field that names a record suggests records by what is typed', { skip }, async () => {
  await world.build.campus({ name: 'Suggestville' })
  const { window } = await begin()
  const { page } = window
  await window.open('/staff/records/locations/new')
  await page.getByLabel('campus_id').pressSequentially('suggest')
  const option = page.locator('datalist option[label="Suggestville"]')
  await option.waitFor({ state: 'attached' })
  assert.match((await option.getAttribute('value')) ?? '', /^\d+$/)
  await window.assertAccessible()
})

test('an import keeps the names of columns whole, has large targets, and shows the result of a trial', {
  skip,
}, async () => {
  const { window } = await begin()
  const { page } = window
  await window.open('/staff/import/new/users')
  const chooser = page.getByLabel('File', { exact: true })
  assert.ok(Number((await chooser.boundingBox())?.height) >= 40)
  const names = ['usual_first_name', 'Téléphone', 'Courriel']
  const values = ['Ann', '0612345678', 'a.very.long.address.of.somebody@student.grenoble.example']
  const buffer = Buffer.from([names, values].map((row) => `${row.join(';')}\n`).join(''))
  await chooser.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Import people.csv' }).waitFor()
  for (const [at, name] of names.entries()) {
    const lines = await page.locator(`#column-${at}`).evaluate((element) => element.getClientRects().length)
    assert.equal(lines, 1, name)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.waitForURL(/#trial$/)
  const box = await page.getByRole('heading', { name: 'Result of the trial' }).boundingBox()
  assert.ok(box && box.y > 0 && box.y < 844, `the result is at ${box?.y}`)
  const value = await page.getByLabel('kind of every row').boundingBox()
  assert.ok(value && value.y > box.y && value.y < 844, `the value of every row is at ${value?.y}`)
  await window.assertAccessible()
})
