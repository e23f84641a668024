import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { RELEASE_ONLY } from '@campus/test/support/release-only'
import sharp from 'sharp'

/** `npm run pictures` takes a picture of each page. */
const PICTURES = 'test-artefacts/pages'
/** Pages that the README shows. */
const SHOWN = [
  'home-desktop-light',
  'campus-desktop-light',
  'person-desktop-light',
  'curriculum-desktop-light',
  'staff-records-desktop-light',
  'reference-desktop-dark',
]
const TAKES_PICTURES = process.env.CAMPUS_TEST_PICTURES !== undefined
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
const SCHEMES = ['light', 'dark'] as const
const MAX_BYTES = 120_000

type Place = { readonly name: string; readonly path: (world: World) => Promise<string> | string }

const found = async (world: World, statement: string) => String((await world.database.rows(statement))[0]?.[0])

const PLACES: readonly Place[] = [
  { name: 'home', path: () => '/' },
  { name: 'campus', path: () => '/campuses/1' },
  {
    name: 'person',
    path: async (world) =>
      `/people/${await found(world, "select u.login from users u join cursus_users c on c.user_id = u.id where u.kind = 'student' and u.closed_at is null group by u.id order by count(*) desc, u.id limit 1")}`,
  },
  {
    name: 'project',
    path: async (world) =>
      `/projects/${await found(world, 'select p.id from projects p join projects_users u on u.project_id = p.id group by p.id order by count(*) desc, p.id limit 1')}`,
  },
  { name: 'my-picture', path: () => '/profile/picture' },
  { name: 'wall', path: () => '/campuses/1/wall' },
  { name: 'curriculum', path: () => '/curriculum/1' },
  {
    name: 'team',
    path: async (world) =>
      `/teams/${await found(world, 'select id from teams order by closed_at is null, id limit 1')}`,
  },
  { name: 'coalitions', path: () => '/coalitions' },
  { name: 'coalition', path: () => '/coalitions/1' },
  { name: 'agenda', path: () => '/agenda?of=campus' },
  { name: 'agenda-month', path: () => '/agenda?of=campus&view=month' },
  { name: 'agenda-list', path: () => '/agenda?of=campus&view=list' },
  { name: 'notifications', path: () => '/notifications' },
  { name: 'search', path: () => '/search?q=mar' },
  { name: 'staff-campus', path: () => '/staff/campuses/1' },
  { name: 'staff-pools', path: () => '/staff/campuses/1/pools' },
  { name: 'staff-not-seen', path: () => '/staff/campuses/1/not-seen' },
  { name: 'staff-seats', path: () => '/staff/seats/1' },
  { name: 'staff-roles', path: () => '/staff/roles' },
  { name: 'staff-second-factor', path: () => '/staff/second-factor' },
  { name: 'staff-doctor', path: () => '/staff/doctor' },
  { name: 'events', path: () => '/events' },
  { name: 'evaluations', path: () => '/evaluations' },
  { name: 'applications', path: () => '/applications' },
  { name: 'security', path: () => '/security' },
  { name: 'passkey', path: () => '/security/passkeys/new' },
  { name: 'sign-in', path: () => '/sign-in?again=yes' },
  { name: 'people', path: () => '/people' },
  { name: 'staff-users', path: () => '/staff/users' },
  { name: 'staff-resources', path: () => '/staff/records' },
  { name: 'staff-records', path: () => '/staff/records/users?filter[kind]=student&sort=login' },
  { name: 'staff-record', path: () => '/staff/records/users/1' },
  { name: 'staff-record-form', path: () => '/staff/records/users/1/edit' },
  { name: 'time-zone', path: () => '/time-zone' },
  { name: 'staff-webservices', path: () => '/staff/endpoints' },
  { name: 'staff-audit', path: () => '/staff/audit' },
  { name: 'staff-jobs', path: () => '/staff/jobs' },
  { name: 'reference', path: () => '/apidoc' },
  { name: 'reference-resource', path: () => '/apidoc/tags' },
]

/**
 * Measures the first load of a page: bytes as sent, movements of drawn content, and milliseconds until something was drawn.
 * Scripts refresh parts of a page later by `fetch`, which is left out.
 */
const MEASURE = `new Promise((resolve) => {
  let shift = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value })
    .observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    const [drawn] = list.getEntriesByName('first-contentful-paint')
    if (!drawn) return
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ initiatorType }) => initiatorType !== 'fetch')
    resolve({
      bytes: entries.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      shift,
      isWhole: document.querySelector('head [blocking="render"]') !== null,
      paint: drawn.startTime,
      width: document.documentElement.scrollWidth,
    })
  }).observe({ type: 'paint', buffered: true })
})`
type Measured = {
  readonly bytes: number
  readonly shift: number
  readonly isWhole: boolean
  readonly paint: number
  readonly width: number
}

describe('every kind of page', { skip: withoutBrowser }, () => {
  let world: World
  let browser: TestBrowser
  before(async () => {
    world = await campus({ seeded: true })
    browser = await openBrowser(world)
    await personOf(world, { login: 'staff-member', kind: 'admin' })
    if (TAKES_PICTURES) await mkdir(PICTURES, { recursive: true })
  })
  after(async () => {
    await browser?.close()
    await world?.close()
  })

  async function signedIn(options: Parameters<TestBrowser['window']>[0]): Promise<Window> {
    const window = await browser.window(options)
    await window.open('/sign-in')
    await window.page.getByLabel('Login').fill('staff-member')
    await window.page.getByLabel('Password').fill(PASSWORD)
    await window.page.getByRole('button', { name: 'Sign in' }).click()
    await window.page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    return window
  }

  for (const scheme of SCHEMES)
    test(`is light, stands still, fits the screen and can be used by everybody, on a desktop and a phone, ${scheme}`, {
      skip: scheme === 'dark' && RELEASE_ONLY,
    }, async (t) => {
      const paints: number[] = []
      const bytes = new Map<string, number>()
      const window = await signedIn({ dark: scheme === 'dark' })
      for (const { name, path } of PLACES) {
        for (const [device, size] of Object.entries(SIZES)) {
          await window.page.setViewportSize(size)
          const answer = await window.page.goto(world.url + (await path(world)))
          assert.equal(answer?.status(), 200, `${name}: ${answer?.url()}`)
          const measured = (await window.page.evaluate(MEASURE)) as Measured
          const at = `${name}, ${device}, ${scheme}`
          assert.ok(measured.bytes > 1_000 && measured.bytes <= MAX_BYTES, `${at}: ${measured.bytes} bytes`)
          // Half a page comes seldom on a quick machine, so that the movement alone would not show it.
          assert.ok(measured.isWhole, `${at}: drawn before it is whole`)
          assert.ok(measured.shift < 0.001, `${at}: moved by ${measured.shift}`)
          assert.ok(measured.width <= size.width, `${at}: ${measured.width} pixels wide`)
          paints.push(measured.paint)
          bytes.set(name, measured.bytes)
          if (TAKES_PICTURES) {
            const file = `${name}-${device}-${scheme}`
            await sharp(await window.page.screenshot())
              .png({ palette: true, colours: 64 })
              .toFile(join(SHOWN.includes(file) ? 'docs/screenshots' : PICTURES, `${file}.png`))
          }
        }
        await window.assertAccessible()
      }
      assert.deepEqual(window.strayRequests, [])
      paints.sort((one, other) => one - other)
      const [middle, last] = [paints[Math.floor(paints.length / 2)] ?? 0, paints.at(-1) ?? 0]
      const most = [...bytes].sort(([, one], [, other]) => other - one)[0]
      t.diagnostic(
        `first paint after ${middle.toFixed(0)} ms in the middle, ${last.toFixed(0)} ms at most; ${most?.join(' has ')} bytes`,
      )
    })
})
