import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn } from '@campus/test/support/visitor'

const INVALID_IDS = ['', 'abc', '1.5', '-1', '-9999999999', '99999999999', '1e999', '0x1', "1'"]

describe('a form with an invalid id', () => {
  let world: World
  let staff: SignedIn
  let here: number
  before(async () => {
    world = await campus()
    here = await world.build.campus({ name: 'Lisbon' })
    staff = await signedInOf(world, { login: 'lisa', kind: 'admin' })
  })
  after(() => world.close())

  const statusesOf = (post: (id: string) => Promise<{ readonly status: number }>) =>
    Promise.all(INVALID_IDS.map(async (id) => (await post(id)).status))

  it('gets 404 when it deletes a drawing or a screen', async () => {
    const path = `/staff/seats/${here}`
    for (const wish of ['delete-plan', 'delete-kiosk'])
      assert.deepEqual(
        await statusesOf((id) => staff.browser.submit(path, { wish, id, confirmed: 'yes' })),
        INVALID_IDS.map(() => 404),
      )
  })

  it('gets 404 when it ends a session, and 422 when it asks for a token of an application', async () => {
    const csrf_token = csrfTokenIn(await staff.browser.get('/security'))
    for (const [path, field, status] of [
      ['/security/end-session', 'id', 404],
      ['/apidoc/console/token', 'application', 422],
    ] as const)
      assert.deepEqual(
        await statusesOf((id) => staff.browser.post(path, { csrf_token, [field]: id })),
        INVALID_IDS.map(() => status),
      )
  })
})
