/** The page of background work. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { signedInOf } from '@campus/test/support/people'
import { until } from '@campus/test/support/until'
import { visitorOf } from '@campus/test/support/visitor'

describe('the page of background work', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  it('says for staff alone which process does what, and when it was last done', async () => {
    const [boss, student] = [await signedInOf(world, { kind: 'admin' }), await signedInOf(world, {})]
    assert.equal((await student.browser.get('/staff/jobs')).status, 403)
    assert.match((await visitorOf(world).get('/staff/jobs')).location ?? '', /^\/sign-in/)
    const rows = async () =>
      [...(await boss.browser.get('/staff/jobs')).text.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(
        ([row]) => row,
      )
    await until(async () => (await rows()).length >= 5)
    for (const row of await rows()) {
      assert.doesNotMatch(
        row,
        /<th scope="row"><\/?span|^<tr><th scope="row">\w+_\w+ /,
        'every job has a name in words',
      )
      assert.ok(row.includes(`data-label="Process">${process.pid}<`), row)
    }
    await world.database.rows(
      `update job_leases set leased_until = now() - interval '1 day', holder = 'elsewhere 7 abcd' where job = 'sweep'`,
    )
    assert.match((await boss.browser.get('/staff/jobs')).text, /elsewhere<\/td><td data-label="Process">7 .*lost/)
    const metrics = await world.anonymous.get('/metrics')
    assert.match(metrics.text, /campus_job_lease\{job="compact_counts",machine="[^"]+",pid="\d+"\} 1/)
  })
})
