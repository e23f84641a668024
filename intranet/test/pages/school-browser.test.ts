import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBrowser, type TestBrowser, type Window, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { closedTeam, openProject, type Project } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'
import type { Locator } from 'playwright-core'

let world: World
let browser: TestBrowser
let place: Project
let ada: { readonly id: number }
let bob: { readonly id: number }
before(async () => {
  if (withoutBrowser) return
  world = await campus({ seeded: true })
  browser = await openBrowser(world)
  place = await openProject(world, { campus: await world.build.campus({ name: 'Lisbon', city: 'Lisbon' }) })
  ada = await enrolled('ada')
  bob = await enrolled('bob')
})
after(async () => {
  await browser?.close()
  await world?.close()
})

async function enrolled(login: string) {
  const { id } = await personOf(world, { login, correction_point: 5 })
  await world.build.record('campus_users', { user_id: id, campus_id: place.campus, is_primary: true })
  await world.build.record('cursus_users', { user_id: id, cursus_id: place.cursus, begin_at: '2026-01-01T00:00:00Z' })
  return { id }
}

/** Somebody at Home, with a count of what they click from there on. */
async function atHome(options: Parameters<TestBrowser['window']>[0] = {}) {
  const window = await browser.window(options)
  const { page } = window
  await window.open('/sign-in')
  await page.getByLabel('Login').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  const bar = page.getByRole('navigation', { name: 'Main' })
  const clicks = { count: 0 }
  const click = async (target: Locator) => {
    clicks.count += 1
    await target.click()
  }
  const menu = async (entry: string) => {
    await click(bar.getByRole('button', { name: 'School', exact: true }))
    await click(bar.getByText(entry, { exact: true }))
    await page.getByRole('heading', { level: 1, name: entry }).waitFor()
  }
  return { window, page, clicks, click, menu }
}

async function look(window: Window, name: string): Promise<void> {
  await window.picture(name)
  await window.assertAccessible()
}

for (const scripts of [true, false]) {
  const way = scripts ? 'with scripts switched on' : 'with scripts switched off'
  test(`who is at a campus is three clicks from Home, ${way}`, { skip: withoutBrowser }, async () => {
    const location = await world.build.location({ user_id: bob.id, campus_id: place.campus, host: 'c1r2p3' })
    const { window, page, clicks, click, menu } = await atHome({ scripts })
    await menu('Campuses')
    if (scripts) await look(window, 'school-campuses')
    await click(page.getByRole('link', { name: 'Lisbon' }))
    await page.getByRole('heading', { name: 'Floor 1' }).waitFor()
    assert.match((await page.getByRole('link', { name: /bob/ }).textContent()) ?? '', /bob/)
    assert.equal(clicks.count, 3)
    assert.deepEqual(window.strayRequests, [])
    await world.database.rows('delete from locations where id = $1', [location])
  })

  test(`a slot is offered and another one booked in six clicks from Home, ${way}`, {
    skip: withoutBrowser,
  }, async () => {
    const client = await world.caller({ user: ada.id, scopes: ['public', 'projects'] })
    const team = await closedTeam(client, place.project)
    await offered(world, bob.id, '2026-03-03T09:00:00Z', 30)
    const { window, page, clicks, click, menu } = await atHome({ scripts })
    await menu('Evaluations')
    await click(page.getByRole('button', { name: 'Offer this time' }))
    await page.getByText('You offer that time now.').waitFor()
    await page.getByText('2 Mar 2026, 12:00 – 13:00').waitFor()
    await click(page.getByRole('link', { name: /^Book an evaluation of/ }))
    if (scripts) await look(window, 'school-booking')
    await click(page.getByRole('button', { name: 'Tue 3 Mar 09:00' }))
    await click(page.getByRole('button', { name: 'Book it' }))
    await page.getByText('The evaluation is booked.').waitFor()
    assert.equal(clicks.count, 6)
    await page.getByText('you are evaluated').waitFor()
    if (scripts) await look(window, 'school-evaluations')
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByText('You do not offer that time any more.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel the evaluation' }).click()
    await page.getByText('The evaluation is cancelled.').waitFor()
    await world.database.rows('delete from slots')
    const destroyed = await (await world.caller({ roles: ['Advanced Tutor'] })).delete(`/v2/teams/${team}`)
    assert.equal(destroyed.status, 204)
  })
}

test('a campus and a person are live: who logs in or out shows without a reload', {
  skip: withoutBrowser,
}, async () => {
  const { page, window } = await atHome()
  await window.open(`/campuses/${place.campus}`)
  await page.getByText('Nobody is logged in at this campus now.').waitFor()
  const location = await world.build.location({ user_id: bob.id, campus_id: place.campus, host: 'c4r5p6' })
  await page.getByRole('heading', { name: 'Floor 4' }).waitFor()
  await window.open(`/people/bob`)
  await page.getByText('Sits at c4r5p6 now').waitFor()
  await world.database.rows('delete from locations where id = $1', [location])
  await page.getByText('Not logged in now').waitFor()
  assert.deepEqual(window.strayRequests, [])
})

test('people, campuses, projects and events can be looked at in light and dark', { skip: withoutBrowser }, async () => {
  const first = async (text: string) => String((await world.database.rows(text))[0]?.[0])
  const student = await first(
    "select login from users where kind = 'student' and closed_at is null order by id limit 1",
  )
  const busy = await first(
    'select campus_id from locations where end_at is null group by 1 order by count(*) desc limit 1',
  )
  const project = await first('select project_id from teams group by 1 order by count(*) desc limit 1')
  const event = await first("select id from events where begin_at > '2026-03-02T10:00:00Z' order by begin_at limit 1")
  const pages = {
    person: `/people/${student}`,
    people: '/people?q=mar',
    campus: `/campuses/${busy}`,
    project: `/projects/${project}`,
    projects: '/projects',
    event: `/events/${event}`,
    events: '/events',
  }
  for (const dark of [false, true]) {
    const { window, page } = await atHome({ dark })
    for (const [name, path] of Object.entries(pages)) {
      await window.open(path)
      await page.getByText('As the API says it').click()
      await window.assertAccessible()
      await page.getByText('As the API says it').click()
      await window.picture(`${dark ? 'dark-' : ''}school-${name}`)
    }
    assert.deepEqual(window.strayRequests, [])
  }
})

/** Texts that run, load, send, cover or move a page if it shows them as HTML or as an address. */
const HOSTILE = [
  '<script>window.ran = 1</script>',
  '<img src=x onerror="window.ran = 2">',
  '<svg onload="window.ran = 3"><script href="data:,window.ran=4" /></svg>',
  '<iframe srcdoc="<script>parent.ran = 5</script>"></iframe>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<base href="https://evil.example/"><form action="https://evil.example/"><button autofocus>Sign in</button></form>',
  '<style>body { background: url(https://evil.example/s) }</style><link rel=stylesheet href=https://evil.example/l>',
  '<div style="position:fixed;inset:0">covered</div>',
  '![picture](https://evil.example/p.png) ![data](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[one](javascript:window.ran=6) [two](data:text/html,<script>1</script>) [three](//evil.example) [four](vbscript:x)',
  '[five](https://a.example/"onmouseover="window.ran=7) <https://a.example/"onfocus=window.ran=8>',
  '`</code><script>window.ran = 9</script>` **bold<img src=x onerror=window.ran=10>**',
  '```html\n</pre><script>window.ran = 11</script>\n```',
  '[a]: javascript:window.ran=12 "<img src=x onerror=window.ran=13>"\n\n[a]',
]

test('Markdown that people wrote runs nothing, loads nothing and leads to addresses of pages only', {
  skip: withoutBrowser,
}, async () => {
  const project = await openProject(world, { campus: place.campus })
  const event = await world.build.record('events', {
    ...{ name: 'Party', description: 'x', location: 'here', kind: 'event' },
    ...{ begin_at: '2027-01-01T10:00:00Z', end_at: '2027-01-01T12:00:00Z' },
  })
  const { window, page } = await atHome()
  const failures: string[] = []
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
  page.on('dialog', (dialog) => failures.push(dialog.message()))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ blockedURI }) =>
      Object.assign(globalThis, { refused: blockedURI }),
    ),
  )
  const all = HOSTILE.join('\n\n')
  await world.database.rows('update projects set description = $1 where id = $2', [all, project.project])
  for (const text of HOSTILE) {
    await world.database.rows('update events set description = $1 where id = $2', [text, event])
    for (const path of text === HOSTILE[0]
      ? [`/projects/${project.project}`, `/events/${event}`]
      : [`/events/${event}`]) {
      await window.open(path)
      const found = await page.evaluate(() => {
        const all = [...document.querySelectorAll('main *')]
        return {
          ran: Reflect.get(globalThis, 'ran') ?? Reflect.get(globalThis, 'refused'),
          active: all.filter((one) => one.matches('script:not([src]), iframe, svg[onload], meta, base, style, link'))
            .length,
          handlers: all.flatMap((one) => one.getAttributeNames()).filter((name) => /^on|^style$/.test(name)),
          links: [...document.querySelectorAll('main a[rel]')].map((one) => [
            one.getAttribute('href'),
            one.getAttribute('rel'),
          ]),
        }
      })
      assert.deepEqual([found.ran, found.active, found.handlers], [undefined, 0, []], `${path}: ${text}`)
      for (const [href, rel] of found.links) {
        assert.match(href ?? '', /^https?:\/\/[^"'<> ]+$/)
        assert.match(rel ?? '', /nofollow noopener noreferrer/)
      }
      assert.equal(new URL(page.url()).pathname, path)
    }
  }
  assert.deepEqual([failures, window.strayRequests], [[], []])
})
