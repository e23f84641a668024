import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPassword } from '../../src/domain/accounts.ts'
import { createSealing } from '../../src/webhooks/sealing.ts'
import { openBrowser, type TestBrowser, withoutBrowser } from '../support/browser.ts'
import { campus, type World } from '../support/campus.ts'

const PASSWORD = 'correct horse battery'

let world: World
let browser: TestBrowser
before(async () => {
  if (withoutBrowser) return
  world = await campus()
  await world.build.user({ login: 'ada' })
  await setPassword(world.database, 'ada', PASSWORD, new Date(), createSealing())
  browser = await openBrowser(world)
})
after(async () => {
  await browser?.close()
  await world?.close()
})

test('a person signs in with scripts switched off', { skip: withoutBrowser }, async () => {
  const window = await browser.window()
  const { page } = window
  await window.open('/')
  await window.picture('home')
  await window.assertAccessible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await window.picture('sign-in')
  await window.assertAccessible()
  await page.getByLabel('Login').fill('ada')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The login or the password is not right.').waitFor()
  await window.picture('sign-in-refused')
  await window.assertAccessible()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome, Ada Byron' }).waitFor()
  await window.picture('home-signed-in')
  await window.assertAccessible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  assert.deepEqual(window.strayRequests, [])
})
