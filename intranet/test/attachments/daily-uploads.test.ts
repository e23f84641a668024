/** The daily limit on uploads of one person applies to all applications and pages together. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { signedInOf } from '@campus/test/support/people'
import { attachmentForm, fileOf, filesOf } from '@campus/test/support/uploads'

const MIB = 1_048_576
const HOUR_SECONDS = 3_600
const MEBIBYTES_PER_DAY = 6

describe('the daily uploads of one person', () => {
  let world: World
  before(async () => {
    world = await campus({ env: { CAMPUS_DAILY_UPLOAD_MIB: String(MEBIBYTES_PER_DAY) } })
    await world.build.record('projects', { name: 'Libft', slug: 'libft' })
  })
  after(() => world.close())

  const tutorOf = (user: number) => world.caller({ roles: ['Advanced Tutor'], scopes: ['public', 'projects'], user })
  let files = 0
  function send(client: Client, bytes: number, kind: 'document' | 'video' = 'document') {
    const text = `${++files} `.padEnd(bytes, 'x')
    const element = { attachable_type: kind, name: 'a', [kind]: fileOf(text, 'a.txt') }
    return client.post('/v2/projects/libft/attachments', attachmentForm({ kind }, element))
  }

  it('count in whole MiB across applications and pages, and leave no file beyond the limit', async () => {
    const { id, browser } = await signedInOf(world)
    const [first, second] = [await tutorOf(id), await tutorOf(id)]
    assert.equal((await send(first, 2 * MIB)).status, 201)
    assert.equal((await send(second, MIB + 1)).status, 201)
    assert.equal((await send(first, 1, 'video')).status, 422)
    const picture = () => browser.upload('/profile/picture', { picture: fileOf('no picture', 'a.png') })
    assert.equal((await picture()).status, 422)
    const earlier = await filesOf(world)
    for (const client of [first, second]) {
      const { status, headers, json } = await send(client, 1)
      assert.equal(status, 429)
      assert.match(
        json.message,
        /^A person may upload 6 MiB a day through all applications and pages\. Try again in 24 hours\.$/,
      )
      assert.ok(Number(headers.get('retry-after')) > 12 * HOUR_SECONDS)
    }
    assert.equal((await picture()).status, 429)
    assert.deepEqual(await filesOf(world), earlier)
    assert.equal((await send(await tutorOf(await world.build.user()), 1)).status, 201)
  })

  it('are refused in the middle of a file that exceeds the limit', async () => {
    const tutor = await tutorOf(await world.build.user())
    const earlier = await filesOf(world)
    assert.equal((await send(tutor, (MEBIBYTES_PER_DAY + 1) * MIB)).status, 429)
    assert.deepEqual(await filesOf(world), earlier)
    const { body } = await world.agent.request({ origin: world.url, path: '/metrics', method: 'GET' })
    assert.match(await body.text(), /campus_http_refusals_total\{status="429",reason="upload_bytes"\} [1-9]/)
  })
})
