import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { defined } from '@campus/engine/base/defined'
import { campus, type World } from '@campus/test/support/campus'
import { ownedApplication } from '@campus/test/support/owned-application'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn } from '@campus/test/support/visitor'

type SecretForm = {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Counts what the form makes. */
  readonly sql: string
  readonly notice: RegExp
}

describe('a form that shows a secret once', () => {
  let world: World
  let boss: SignedIn
  let forms: Readonly<Record<string, SecretForm>>
  before(async () => {
    world = await campus({})
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    const here = await world.build.campus({ name: 'Lyon' })
    const application = await ownedApplication(world, boss.id, ['public'])
    forms = {
      'an application': {
        path: '/applications/new',
        fields: { name: 'Seat finder' },
        sql: 'select count(*) from applications',
        notice: /is already registered/,
      },
      'a webhook': {
        path: `/applications/${application}/webhooks`,
        fields: { model: 'user', event: 'create', url: 'https://hooks.example.org/' },
        sql: 'select count(*) from webhooks',
        notice: /is already added/,
      },
      'a screen': {
        path: `/staff/seats/${here}`,
        fields: { wish: 'kiosk', screen: 'Hall' },
        sql: 'select count(*) from kiosks',
        notice: /is already added/,
      },
    }
  })
  after(() => world.close())

  const count = async (sql: string) => Number((await world.database.rows(sql))[0]?.[0])

  for (const name of ['an application', 'a webhook', 'a screen']) {
    it(`makes ${name} once if it is sent four times, and explains that`, async () => {
      const { path, fields, sql, notice } = defined(forms[name])
      const page = await boss.browser.get(path)
      const form_id = /name="form_id" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
      const sent = { csrf_token: csrfTokenIn(page), form_id, ...fields }
      const before = await count(sql)
      const answers = await Promise.all([1, 2, 3].map(() => boss.browser.post(path, sent)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 303, 303])
      const again = await boss.browser.post(path, sent)
      assert.match((await boss.browser.get(again.location ?? '')).text, notice)
      assert.equal(await count(sql), before + 1)
    })

    it(`makes ${name} when it is sent again after a refusal`, async () => {
      const { path, fields, sql } = defined(forms[name])
      const page = await boss.browser.get(path)
      const form_id = /name="form_id" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
      const sent = { csrf_token: csrfTokenIn(page), form_id, ...fields }
      const before = await count(sql)
      const [wrong] = ['screen', 'url', 'name'].filter((field) => Object.hasOwn(fields, field))
      assert.equal((await boss.browser.post(path, { ...sent, [wrong ?? '']: ' ' })).status, 422)
      assert.equal((await boss.browser.post(path, sent)).status, 200)
      assert.equal(await count(sql), before + 1)
    })
  }
})
