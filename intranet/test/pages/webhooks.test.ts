import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'

describe('the pages of webhooks', () => {
  let world: World
  let ada: SignedIn
  let eve: SignedIn
  let application: number
  before(async () => {
    world = await campus()
    ada = await signedInOf(world, { login: 'ada' })
    eve = await signedInOf(world, { login: 'eve' })
    const made = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Hooked', scopes: ['public'], owner: 'ada' }),
    )
    application = made.id
  })
  after(() => world.close())

  it('add one, show its secret once, test it, replay it and delete it', async () => {
    const path = `/applications/${application}/webhooks`
    const fields = {
      model: 'user',
      event: 'update',
      url: 'https://hooks.example.org/',
      campus_id: '',
      description: 'Names',
    }
    const refused = await ada.browser.submit(path, { ...fields, event: 'changed' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /create, update, destroy, alumnisation/)
    const made = await ada.browser.submit(path, fields)
    assert.equal(made.status, 200, made.text)
    const secret = /id="secret">([^<]+)/.exec(made.text)?.[1] ?? 'none'
    assert.match(secret, /^whsec_/)
    const one = /href="(\/applications\/\d+\/webhooks\/\d+)"/.exec(made.text)?.[1] ?? ''
    const list = await ada.browser.get(path)
    assert.ok(list.text.includes('user update') && !list.text.includes(secret))
    assert.equal((await eve.browser.get(one)).status, 404)
    assert.equal((await eve.browser.get(path)).status, 404)

    const sent = await ada.browser.submit(one, {}, `${one}/test`)
    assert.match(sent.location ?? '', /\/deliveries\/\d+$/)
    assert.match((await ada.browser.get(sent.location ?? '')).text, /Its result appears on this page/)
    const [row] = await world.database.rows('select id from webhook_deliveries')
    assert.ok(row, 'a delivery')
    await world.database.rows(
      `update webhook_deliveries set state = 'rejected', error = 'not_there', lease = null, due_at = null, decided_at = now()`,
    )
    const shown = await ada.browser.get(one)
    assert.ok(shown.text.includes('rejected') && shown.text.includes('may not see it'), shown.text)
    const delivery = await ada.browser.get(`${one}/deliveries/${row?.[0]}`)
    assert.equal(delivery.status, 200)
    const error = 'connect ECONNREFUSED 10.7.7.7:5432'
    await world.database.rows(`update webhook_deliveries set error = $1, attempts = $2`, [
      error,
      JSON.stringify([{ at: '2026-03-02T10:00:00Z', status: null, error, milliseconds: 7413 }]),
    ])
    for (const page of [one, `${one}/deliveries/${row?.[0]}`]) {
      const { text } = await ada.browser.get(page)
      assert.ok(text.includes('could not be reached') && !/10\.7\.7\.7|5432|7,413/.test(text), text)
    }
    await ada.browser.submit(`${one}/deliveries/${row?.[0]}`, {})
    await ada.browser.submit(one, { confirmed: 'yes' }, `${one}/delete`)
    assert.deepEqual(await world.database.rows('select id from webhooks'), [])
  })

  it('offer the models, the events and the campuses by name', async () => {
    const lyon = await world.build.campus({ name: 'Lyon' })
    const path = `/applications/${application}/webhooks`
    const { text } = await ada.browser.get(path)
    assert.match(text, /<option value="scale_team" translate="no">scale_team<\/option>/)
    assert.match(text, /<option value="create" selected translate="no">create<\/option>/)
    assert.match(text, /<option value="alumnisation" translate="no">alumnisation \(user\)<\/option>/)
    assert.match(text, new RegExp(`<option value="${lyon}">Lyon</option>`))
    const fields = { model: '', event: 'create', url: 'https://hooks.example.org/', campus_id: '' }
    const refused = await ada.browser.submit(path, fields)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /What it subscribes to: must be chosen/)
    assert.match(refused.text, /value="https:\/\/hooks\.example\.org\/"/)
  })

  it('refuse addresses and descriptions with control characters, and long ones, as the API does', async () => {
    const path = `/applications/${application}/webhooks`
    const fields = { model: 'user', event: 'update', url: 'https://hooks.example.org/', campus_id: '', description: '' }
    for (const wrong of [
      { url: 'https://hooks.example.org/\nx' },
      { url: `https://hooks.example.org/${'x'.repeat(2048)}` },
      { description: 'Names\nand more' },
      { description: 'x'.repeat(2049) },
    ])
      assert.equal((await ada.browser.submit(path, { ...fields, ...wrong })).status, 422, JSON.stringify(wrong))
    assert.deepEqual(await world.database.rows('select id from webhooks'), [])
  })
})
