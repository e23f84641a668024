import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBrowser, type TestBrowser, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { closedTeam, openProject, type Project } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'
import sharp from 'sharp'

/** Tests pointers, keys and live updates. Other tests check the rules without a browser. */
let world: World
let browser: TestBrowser
let place: Project
let ada: number
let bob: number
before(async () => {
  if (withoutBrowser) return
  world = await campus({})
  browser = await openBrowser(world)
  place = await openProject(world, { campus: await world.build.campus({ name: 'Lisbon', city: 'Lisbon' }) })
  ada = await enrolled('ada')
  bob = await enrolled('bob')
})
after(async () => {
  await browser?.close()
  await world?.close()
})

async function enrolled(login: string): Promise<number> {
  const { id } = await personOf(world, { login, correction_point: 5 })
  await world.build.record('campus_users', { user_id: id, campus_id: place.campus, is_primary: true })
  await world.build.record('cursus_users', { user_id: id, cursus_id: place.cursus, begin_at: '2026-01-01T00:00:00Z' })
  return id
}

async function signedIn(login: string) {
  const window = await browser.window()
  const { page } = window
  await window.open('/sign-in')
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  return window
}

test('a picture is cropped by keys or pointer before it is sent', { skip: withoutBrowser }, async () => {
  const window = await signedIn('ada')
  const { page } = window
  await window.open('/profile/picture')
  const red = { create: { width: 400, height: 400, channels: 3, background: 'red' } } as const
  const picture = await sharp({ create: { ...red.create, width: 800, background: 'blue' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
    .toBuffer()
  await page
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
  const square = page.locator('.cropper-face')
  const box = (await square.boundingBox()) ?? assert.fail('nothing to crop')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 3, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  assert.equal(await page.locator('input[name=left]').inputValue(), '400')
  await window.assertAccessible()
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await page.getByText('Your picture is changed.').waitFor()
  const { image } = (await world.director.get(`/v2/users/${ada}`)).json
  const { body } = await world.agent.request({
    ...{ origin: world.url, method: 'GET', path: image.versions.small.slice(world.url.length) },
    headers: { accept: 'image/png,image/jpeg' },
  })
  const { dominant } = await sharp(Buffer.from(await body.arrayBuffer())).stats()
  assert.ok(dominant.b > 200 && dominant.r < 60, JSON.stringify(dominant))
  assert.deepEqual(
    window.strayRequests.filter((address) => !address.startsWith('blob:')),
    [],
  )
})

test('a person is found from any page by keys alone', { skip: withoutBrowser }, async () => {
  const window = await signedIn('ada')
  const { page } = window
  await window.open('/agenda')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('bob')
  await page.getByRole('option', { name: /bob/ }).first().waitFor()
  await window.assertAccessible()
  // The first is chosen already; arrow keys go on and back.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/people\/bob$/)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('time is offered by drawing over the hours of a day, and by keys', { skip: withoutBrowser }, async () => {
  const window = await signedIn('bob')
  const { page } = window
  const slotsOf = async () =>
    (await world.database.rows('select begin_at from slots where user_id = $1 order by begin_at', [bob])).length
  const cell = (day: string, time: string) => page.locator(`td[data-day="${day}"][data-time="${time}"]`)
  await window.open('/agenda?day=2026-03-05')
  const [from, to] = [await cell('2026-03-05', '10:00').boundingBox(), await cell('2026-03-05', '11:00').boundingBox()]
  assert.ok(from && to)
  await page.mouse.move(from.x + 10, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + 10, to.y + to.height / 2, { steps: 5 })
  await page.mouse.up()
  for (const [name, value] of Object.entries({ day: '2026-03-05', begin_at: '10:00', end_at: '11:30' }))
    assert.equal(await page.locator(`#${name}`).inputValue(), value)
  // The button has the focus.
  await page.keyboard.press('Enter')
  await page.getByText('You offer that time now.').waitFor()
  assert.equal(await slotsOf(), 6)

  await cell('2026-03-06', '14:00').focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('#end_at').inputValue(), '15:00')
  await page.keyboard.press('Enter')
  await page.getByText('You offer that time now.').waitFor()
  assert.equal(await slotsOf(), 10)
  // On a phone, too, a finger finds entries and buttons apart.
  await page.setViewportSize({ width: 390, height: 844 })
  await window.open('/agenda?view=month&day=2026-03-05')
  const entry = await page.locator('.calendar .entry').first().boundingBox()
  assert.ok(Number(entry?.height) >= 24, `an entry is ${entry?.height} pixels high`)
  const copies = await page.getByRole('button', { name: 'Copy the address of the campus' }).boundingBox()
  const renews = await page.getByRole('button', { name: 'Renew the addresses' }).boundingBox()
  assert.ok(copies && renews && renews.y - copies.y - copies.height >= 8)
})

test('a screen at the wall shows who sits down and who leaves, by itself', { skip: withoutBrowser }, async () => {
  const window = await signedIn('ada')
  const { page } = window
  await world.build.location({ user_id: ada, campus_id: place.campus, host: 'c1r1s1' })
  await window.open(`/campuses/${place.campus}/wall`)
  await page.getByTitle(/bob/).waitFor({ state: 'detached' })
  const sent = { location: { user_id: bob, campus_id: place.campus, host: 'c1r1s2', begin_at: '2026-03-02T10:00:00Z' } }
  const { json } = await world.director.post('/v2/locations', sent)
  await page.getByText('bob').first().waitFor({ state: 'attached' })
  await world.director.patch(`/v2/locations/${json.id}`, { location: { end_at: '2026-03-02T10:30:00Z' } })
  await page.getByText('bob').first().waitFor({ state: 'detached' })
})

test('a notification reaches who looks, without a reload', { skip: withoutBrowser }, async () => {
  const window = await signedIn('bob')
  const { page } = window
  await window.open('/notifications')
  await page.getByRole('link', { name: 'Notifications: none is new' }).waitFor()
  const client = await world.caller({ user: ada, scopes: ['public', 'projects'] })
  const team = await closedTeam(client, place.project)
  await offered(world, bob, '2026-03-07T09:00:00Z', 30)
  const booked = await client.post('/v2/scale_teams', {
    scale_team: { team_id: team, begin_at: '2026-03-07T09:00:00Z' },
  })
  assert.equal(booked.status, 201, JSON.stringify(booked.json))
  await page.getByRole('link', { name: 'Notifications: 1 is new' }).waitFor()
  await page.getByText(/is booked for 7 Mar 2026/).click()
  await page.waitForURL(/\/evaluations\/\d+$/)
})
