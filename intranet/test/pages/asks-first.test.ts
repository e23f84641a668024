/** Forms that destroy something or switch protection off ask first, and do nothing until they are confirmed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { flowOf } from '@campus/test/support/oauth-flow'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'

let world: World
let boss: SignedIn
let pupil: SignedIn
let campusId: number
before(async () => {
  world = await campus()
  boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
  pupil = await signedInOf(world, { login: 'pupil' })
  campusId = await world.build.campus({ name: 'Here' })
  for (const { id } of [boss, pupil])
    await world.build.record('campus_users', { user_id: id, campus_id: campusId, is_primary: true })
  await world.database.rows(
    'insert into administrators (user_id, created_at) values ($1, now()) on conflict do nothing',
    [boss.id],
  )
})
after(() => world.close())

type Asked = {
  readonly by: SignedIn
  /** Path and fields of the form. */
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Query whose rows differ once the form has done its work. */
  readonly sql: string
  /** Text that the question must contain. */
  readonly names: readonly RegExp[]
}

const idOf = async (sql: string, values: readonly unknown[] = []) =>
  Number((await world.database.rows(sql, values))[0]?.[0])

const QUESTIONS: Readonly<Record<string, () => Promise<Asked>>> = {
  'the second factor of somebody': async () => {
    const { id, login } = await signedInOf(world)
    await world.build.record('campus_users', { user_id: id, campus_id: campusId, is_primary: true })
    await world.database.rows(
      "insert into second_factors (user_id, sealed_secret, created_at, confirmed_at) values ($1, 'x', now(), now())",
      [id],
    )
    return {
      by: boss,
      path: `/staff/users/${id}/remove-second-factor`,
      fields: {},
      sql: 'select count(*) from second_factors',
      names: [/authenticator app/, /passkeys/, /recovery codes/, new RegExp(login)],
    }
  },
  'the requirement of a second factor': async () => {
    const id = await world.build.campus()
    await world.database.rows('insert into second_factor_requirements (campus_id, created_at) values ($1, now())', [id])
    return {
      by: boss,
      path: '/staff/second-factor',
      fields: { of: 'campus', id: String(id), wish: 'release' },
      sql: 'select count(*) from second_factor_requirements',
      names: [/second factor/],
    }
  },
  'a webservice that is on': async () => {
    const id = await world.build.record('endpoints', { url: 'https://receiver.test/all', active: true })
    return {
      by: boss,
      path: `/staff/endpoints/${id}/switch`,
      fields: { active: 'no' },
      sql: 'select count(*) from endpoints where active',
      names: [/not recorded/],
    }
  },
  'a webhook': async () => {
    const { id: application } = await flowOf(world).application({ owner: pupil.login })
    const added = { model: 'user', event: 'update', url: 'https://receiver.test/here', campus_id: '', description: '' }
    await pupil.browser.submit(`/applications/${application}/webhooks`, added)
    const id = await idOf('select max(id) from webhooks')
    return {
      by: pupil,
      path: `/applications/${application}/webhooks/${id}/delete`,
      fields: {},
      sql: 'select count(*) from webhooks',
      names: [/receiver\.test/, /cannot be undone/],
    }
  },
  'every session and token of an application': async () => {
    const flow = flowOf(world)
    const app = await flow.application({ owner: pupil.login })
    await flow.tokens(pupil.browser, app)
    return {
      by: pupil,
      path: `/applications/${app.id}/sessions/end-all`,
      fields: {},
      sql: 'select count(*) from token_families where revoked_at is null',
      names: [/cannot be undone/],
    }
  },
  'the addresses of calendars': async () => {
    await pupil.browser.get('/agenda')
    return {
      by: pupil,
      path: '/agenda',
      fields: { wish: 'renew' },
      sql: 'select * from calendars order by 1',
      names: [/stop showing your agenda/, /cannot be undone/],
    }
  },
  'the drawing of a floor': async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect id="a1" width="9" height="9"/></svg>'
    await boss.browser.upload(`/staff/seats/${campusId}`, { name: 'Ground', svg: new File([svg], 'floor.svg') })
    return {
      by: boss,
      path: `/staff/seats/${campusId}`,
      fields: { wish: 'delete-plan', id: String(await idOf('select max(id) from seat_plans')) },
      sql: 'select count(*) from seat_plans',
      names: [/cannot be undone/],
    }
  },
  'the link of a screen': async () => {
    await boss.browser.submit(`/staff/seats/${campusId}`, { wish: 'kiosk', screen: 'Hall' })
    return {
      by: boss,
      path: `/staff/seats/${campusId}`,
      fields: { wish: 'delete-kiosk', id: String(await idOf('select max(id) from kiosks')) },
      sql: 'select count(*) from kiosks',
      names: [/cannot be undone/],
    }
  },
}

describe('a form that destroys something', () => {
  for (const [name, prepare] of Object.entries(QUESTIONS))
    it(`asks first: ${name}`, async () => {
      const { by, path, fields, sql, names } = await prepare()
      const csrf_token = csrfTokenIn(await by.browser.get('/security'))
      const rows = await world.database.rows(sql)
      const question = await by.browser.post(path, { csrf_token, ...fields })
      assert.equal(question.status, 200, question.text)
      const main = question.text.slice(question.text.indexOf('<main'))
      for (const one of names) assert.match(main, one)
      assert.deepEqual(await world.database.rows(sql), rows)
      const back = /<a href="([^"]+)">Leave it as it is/.exec(main)?.[1] ?? ''
      assert.equal((await by.browser.get(back)).status, 200, `the way back to ${back}`)
      const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(main) ?? []
      const hidden = [...main.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
      const sent = Object.fromEntries(hidden.map(([, field = '', value = '']) => [field, value]))
      assert.equal((await by.browser.post(action, { ...sent, confirmed: 'yes' })).status, 303)
      assert.notDeepEqual(await world.database.rows(sql), rows)
    })

  it('asks nothing of people who are not allowed to do it', async () => {
    const fellow = await signedInOf(world)
    const csrf_token = csrfTokenIn(await fellow.browser.get('/security'))
    for (const [name, prepare] of Object.entries(QUESTIONS)) {
      const { path, fields, names } = await prepare()
      if (path === '/agenda') continue
      const { status, text } = await fellow.browser.post(path, { csrf_token, ...fields })
      assert.ok(status === 403 || status === 404, `${name}: ${status}`)
      assert.ok(!names.every((one) => one.test(text)), name)
    }
    assert.match((await visitorOf(world).get('/staff/second-factor')).location ?? '', /^\/sign-in/)
  })
})
