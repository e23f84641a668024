import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBrowser, type TestBrowser, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf } from '@campus/test/support/people'
import type { Locator } from 'playwright-core'

/**
 * Ten tasks of staff with records, from the list of a resource on. Beside each is how many clicks the data studio of Directus 11
 * needs for the same, by its documentation; typing, and a key that sends a form, are no clicks, and to choose from a list is two.
 */
const CLICKS_IN_DIRECTUS = {
  'find a record by two conditions': 5,
  'change a field of it': 3,
  'see who changed it last': 2,
  'export what was found': 3,
  'create a record': 3,
  'delete a record': 3,
  'change two records at once': 5,
  'follow an association': 2,
  'sort by a column': 1,
  'share what is shown': 2,
}

let world: World
let browser: TestBrowser
let clicks = 0
before(async () => {
  if (withoutBrowser) return
  world = await campus({})
  browser = await openBrowser(world)
  await personOf(world, { login: 'boss', kind: 'admin' })
  for (const [login, pool_year] of [
    ['mmusterm', '2025'],
    ['mmeier', '2024'],
  ])
    await personOf(world, { login, pool_year, first_name: 'Max' })
  for (const name of ['Alpha', 'Beta']) await world.build.record('titles', { name })
})
after(async () => {
  await browser?.close()
  await world?.close()
})

async function click(target: Locator): Promise<void> {
  clicks += 1
  await target.click()
}

async function choose(list: Locator, value: string): Promise<void> {
  clicks += 2
  await list.selectOption(value)
}

test('staff need no more clicks for ten tasks with records than in Directus', { skip: withoutBrowser }, async () => {
  const { page, open, strayRequests } = await browser.window()
  await open('/sign-in')
  await page.getByLabel('Login').fill('boss')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  const rowOf = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  const needed: Record<string, number> = {}
  const task = async (name: keyof typeof CLICKS_IN_DIRECTUS, work: () => Promise<unknown>) => {
    clicks = 0
    await work()
    needed[name] = clicks
  }

  await open('/staff/records/users')
  await task('find a record by two conditions', async () => {
    for (const [field, value] of Object.entries({ first_name: 'Max', pool_year: '2025' })) {
      await choose(page.getByLabel('Field'), field)
      await page.getByLabel('Value').fill(value)
      await page.keyboard.press('Enter')
      await page.getByText(`${field} is ${value}`).waitFor()
    }
    await page.getByText('1 to 1 of 1').waitFor()
  })
  const found = page.url()
  await task('share what is shown', async () => {
    const other = await page.context().newPage()
    await other.goto(found)
    await other.getByText('1 to 1 of 1').waitFor()
    await other.close()
  })
  await task('export what was found', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      click(page.getByRole('link', { name: 'CSV' })),
    ])
    assert.match(download.suggestedFilename(), /\.csv$/)
  })
  await task('change a field of it', async () => {
    await click(rowOf('mmusterm').getByRole('link').first())
    await click(page.getByRole('link', { name: 'Change', exact: true }))
    await click(page.getByLabel('first_name', { exact: true }))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Maximilian')
    await page.keyboard.press('Enter')
    await page.getByText('Changed first_name: PATCH /v2/users/').waitFor()
  })
  await open('/staff/records/users')
  await task('see who changed it last', async () => {
    await click(rowOf('mmusterm').getByRole('link').first())
    await page.getByText('by boss').first().waitFor()
  })

  await open('/staff/records/titles')
  await task('sort by a column', async () => {
    await click(page.getByRole('columnheader', { name: /^name/ }).getByRole('link'))
    await page.waitForURL(/sort=name/)
  })
  await task('create a record', async () => {
    await click(page.getByRole('link', { name: 'New record' }))
    await click(page.getByLabel('name', { exact: true }))
    await page.keyboard.type('Delta')
    await page.keyboard.press('Enter')
    await page.getByText(/^Created/).waitFor()
  })
  await open('/staff/records/titles')
  await task('delete a record', async () => {
    await click(rowOf('Delta').getByRole('link').first())
    await click(page.getByRole('link', { name: 'Delete', exact: true }))
    await click(page.getByRole('button', { name: 'Delete', exact: true }))
    await page.getByText(/^Deleted/).waitFor()
  })
  await open('/staff/records/users')
  await task('change two records at once', async () => {
    for (const name of ['mmusterm', 'mmeier']) await click(rowOf(name).getByRole('checkbox'))
    await click(page.getByRole('button', { name: 'Change or delete the chosen records' }))
    await choose(page.getByLabel('Field'), 'pool_year')
    await page.getByLabel('Value').fill('2026')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '2 of 2 changed' }).waitFor()
  })

  const { id: user_id } = await personOf(world, { login: 'cyd' })
  await world.build.location({ user_id, campus_id: await world.build.campus({}), host: 'c1r1s1' })
  await open('/staff/records/locations')
  await task('follow an association', async () => {
    await click(rowOf('cyd').getByRole('link', { name: 'cyd' }))
    await page.waitForURL(/\/staff\/records\/users\/\d+$/)
  })

  assert.deepEqual(Object.keys(needed).toSorted(), Object.keys(CLICKS_IN_DIRECTUS).toSorted())
  for (const [name, count] of Object.entries(CLICKS_IN_DIRECTUS))
    assert.ok((needed[name] ?? Number.NaN) <= count, `${name}: ${needed[name]} clicks, ${count} in Directus`)
  assert.deepEqual(strayRequests, [])
})
