import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'

describe('the search', () => {
  let world: World
  let ada: SignedIn
  let boss: SignedIn
  before(async () => {
    world = await campus({})
    ada = await signedInOf(world, { login: 'ada', first_name: 'Ada', last_name: 'Lovelace', usual_first_name: null })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    await world.build.record('projects', { name: 'Lovely Printf', slug: 'lovely' })
    await world.build.record('projects', { name: 'Lovely Hidden', slug: 'hidden', visible: false })
    const event = { description: 'x', location: 'here', kind: 'event' }
    for (const [name, year] of [
      ['Lovely talk', 2027],
      ['Lovely past', 2025],
    ] as const)
      await world.build.record('events', {
        ...{ name, ...event },
        ...{ begin_at: `${year}-01-01T10:00:00Z`, end_at: `${year}-01-01T12:00:00Z` },
      })
  })
  after(() => world.close())

  const found = async (one: SignedIn, text: string): Promise<{ group: string; label: string; path: string }[]> => {
    const { status, text: body } = await one.browser.get(`/search/results?q=${encodeURIComponent(text)}`)
    assert.equal(status, 200)
    return JSON.parse(body)
  }

  it('finds people, projects, events, pages and the reference by a part of their names', async () => {
    const all = await found(ada, 'lovel')
    assert.deepEqual(
      all.map(({ group, label }) => `${group}: ${label}`),
      [
        'People: Ada Lovelace',
        'Projects: Lovely Printf',
        'Events: Lovely talk',
        'API reference: Search the reference for “lovel”',
      ],
    )
    assert.ok((await found(ada, 'agenda')).some(({ path }) => path === '/agenda'))
    assert.ok((await found(ada, 'users')).some(({ path }) => path === '/apidoc/users'))
    for (const { path } of all) assert.equal((await ada.browser.get(path)).status, 200, path)
  })

  it('finds by one letter of a login, and shows the pages where nothing is typed', async () => {
    assert.ok((await found(ada, 'a')).some(({ path }) => path === '/people/ada'))
    assert.ok((await found(ada, '')).every(({ group }) => group === 'Pages'))
  })

  it('finds records and pages of staff for staff alone', async () => {
    const ofStaff = (all: { path: string }[]) => all.filter(({ path }) => path.startsWith('/staff'))
    assert.deepEqual(ofStaff(await found(ada, 'records')), [])
    assert.deepEqual(ofStaff(await found(ada, 'users')), [])
    assert.ok(ofStaff(await found(boss, 'users')).length >= 2)
  })

  it('takes any text for a text', async () => {
    for (const text of ['%', '_', '\\', "'", '<script>', '李', 'x'.repeat(5000), '😀'.repeat(200)]) {
      await found(ada, text)
      const { status, text: page } = await ada.browser.get(`/search?q=${encodeURIComponent(text)}`)
      assert.equal(status, 200)
      assert.doesNotMatch(page, /<script>/)
    }
  })
})
