import assert from 'node:assert/strict'
import { after, before, it, mock } from 'node:test'
import { CachedFragments } from '@campus/engine/rest/represent/fragments'
import { campus, type World } from '@campus/test/support/campus'

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

it('a write is answered although what its record shows was not in memory when its transaction ended', async () => {
  const campus_id = await world.build.campus()
  const user_id = await world.build.user()
  const { areFresh } = CachedFragments.prototype
  // As if the campus had been made after what is in memory was looked at.
  const looked = mock.method(
    CachedFragments.prototype,
    'areFresh',
    function (this: CachedFragments, ...given: Parameters<typeof areFresh>) {
      areFresh.apply(this, given)
      return true
    },
  )
  try {
    const location = { campus_id, user_id, host: 'late', begin_at: '2026-03-01T10:00:00Z' }
    const seated = await world.director.post('/v2/locations', { location })
    assert.equal(seated.status, 201, seated.text)
    assert.equal(seated.json.campus_id, campus_id)
    const membership = { campus_id, user_id, is_primary: false }
    const joined = await world.director.post('/v2/campus_users', { campus_user: membership })
    assert.equal(joined.status, 201, joined.text)
    const cursus = { cursus_id: await world.build.cursus(), user_id, begin_at: '2026-03-01T10:00:00Z' }
    const begun = await world.director.post('/v2/cursus_users', { cursus_user: cursus })
    assert.equal(begun.status, 201, begun.text)
    assert.equal(begun.json.cursus.id, cursus.cursus_id)
  } finally {
    looked.mock.restore()
  }
})
