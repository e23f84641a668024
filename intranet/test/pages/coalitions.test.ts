import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { raceOf, reasonsOf } from '../../school/domain/coalitions/race.ts'

describe('the race of coalitions', () => {
  let world: World
  let ada: SignedIn
  let here: number
  const ids: number[] = []
  before(async () => {
    world = await campus({})
    here = await world.build.campus({ name: 'Lisbon' })
    ada = await signedInOf(world, { login: 'ada' })
    await world.build.record('campus_users', { user_id: ada.id, campus_id: here, is_primary: true })
    const bloc_id = await world.build.record('blocs', { campus_id: here, cursus_id: await world.build.cursus() })
    for (const [name, score] of [
      ['Otters', 100],
      ['Lynxes', 50],
    ] as const)
      ids.push(await world.build.record('coalitions', { name, slug: name, color: '#123456', bloc_id, score }))
    const give = (value: number, created_at: string, reason = 'Evaluated others') =>
      world.build.record('scores', { coalition_id: ids[0], value, reason, created_at })
    await give(10, '2026-02-27T10:00:00Z')
    await give(20, '2026-03-01T10:00:00Z')
    await give(-5, '2026-03-01T11:00:00Z')
    await give(7, '2026-03-02T09:00:00Z')
    await give(3, '2026-03-02T09:30:00Z')
    await give(1, '2026-03-02T09:40:00Z', 'Told a joke')
    await world.build.record('coalitions_users', { coalition_id: ids[0], user_id: ada.id, score: 36 })
  })
  after(() => world.close())

  it('ends with what the scores are, and goes back by what was given', async () => {
    const [first = 0, second = 0] = ids
    const { days, scores } = await raceOf(
      world.database,
      [
        { id: first, score: 100 },
        { id: second, score: 50 },
      ],
      { now: world.clock.now(), timeZone: 'UTC' },
    )
    assert.deepEqual(days, ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
    assert.deepEqual(scores.get(first), [74, 74, 89, 100])
    assert.deepEqual(scores.get(second), [50, 50, 50, 50])
  })

  it('says what gave points, and not what was given too seldom to hide who got it', async () => {
    assert.deepEqual(await reasonsOf(world.database, ids[0] ?? 0, world.clock.now()), [
      { reason: 'Evaluated others', times: 5, points: 35 },
    ])
    const { text } = await ada.browser.get(`/coalitions/${ids[0]}`)
    assert.match(text, /Evaluated others/)
    assert.doesNotMatch(text, /Told a joke/)
    assert.match(text, /href="\/people\/ada"/)
  })

  it('is shown for one’s own campus, and for another on request', async () => {
    assert.match((await ada.browser.get('/coalitions')).text, /href="\/coalitions\/1"/)
    const other = await world.build.campus({ name: 'Porto' })
    assert.match((await ada.browser.get(`/coalitions?campus=${other}`)).text, /There are no coalitions at this campus/)
    assert.equal((await ada.browser.get('/coalitions/99999')).status, 404)
  })
})
