/** A write never shows what the caller could not read. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

const PREFER = { prefer: 'return=representation' }

/** The same update, plain and as a document; both are done, and answer so. */
async function update(client: Client, path: string, wrapper: string, type: string, values: object) {
  const plain = await client.patch(path, { [wrapper]: values }, PREFER)
  const id = path.split('/').at(-1)
  const document = { data: { type, id, attributes: values } }
  const headers = { ...PREFER, 'content-type': 'application/vnd.api+json' }
  return [plain, await client.patch(path, JSON.stringify(document), headers)]
}

test('a closed user is changed without being shown to those from whom they are hidden', async () => {
  const id = await world.build.user({ phone: 'canary 06' })
  await world.staff.post('/v2/closes', { close: { user_id: id, kind: 'other', reason: 'Away' } })
  const tutor = await world.caller({ roles: ['Advanced Tutor'] })
  assert.equal((await tutor.get(`/v2/users/${id}`)).status, 403)
  for (const answer of await update(tutor, `/v2/users/${id}`, 'user', 'users', { usual_first_name: 'Zoe' })) {
    assert.deepEqual([answer.status, answer.text, answer.headers.get('preference-applied')], [204, '', null])
  }
  const [plain, document] = await update(world.director, `/v2/users/${id}`, 'user', 'users', { pool_year: '2020' })
  assert.deepEqual([plain?.status, plain?.json.usual_first_name, document?.status], [200, 'Zoe', 200])
  assert.equal(plain?.headers.get('preference-applied'), 'return=representation')
})

test('a record is changed without being shown to those who may not read its resource', async () => {
  const staff = await world.caller({ roles: ['Advanced Staff'] })
  const rule = { kind: 'inscription', name: 'Never on Mondays', internal_name: 'never_on_mondays' }
  const made = await world.director.post('/v2/rules', { rule })
  assert.equal(made.status, 201, made.text)
  const path = `/v2/rules/${made.json.id}`
  assert.equal((await staff.get(path)).status, 403)
  for (const answer of await update(staff, path, 'rule', 'rules', { name: 'Never on Sundays' })) {
    assert.deepEqual([answer.status, answer.text], [204, ''])
  }
  assert.equal((await world.director.get(path)).json.name, 'Never on Sundays')
})

test('whoever may read a record is answered with it', async () => {
  const id = await world.build.user()
  const tutor = await world.caller({ roles: ['Advanced Tutor'] })
  for (const answer of await update(tutor, `/v2/users/${id}`, 'user', 'users', { usual_first_name: 'Ada' })) {
    assert.equal(answer.status, 200)
  }
})
