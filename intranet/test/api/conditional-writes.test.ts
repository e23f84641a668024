import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { campus, type World } from '@campus/test/support/campus'
import { createRecordFactory, type RecordFactory } from '@campus/test/support/record-factory'
import { changeableOf } from '@campus/test/support/updatable-resources'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()
const STALE = 'W/"stale"'
const JSON_API = { accept: 'application/vnd.api+json', 'content-type': 'application/vnd.api+json' }

let world: World
let factory: RecordFactory
before(async () => {
  world = await campus({ seeded: true })
  factory = await createRecordFactory(world, registry)
})
after(() => world.close())

async function etagOf(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const answer = await factory.administrator.get(path, headers)
  assert.equal(answer.status, 200, answer.text)
  return String(answer.headers.get('etag'))
}

describe('PATCH, PUT and DELETE honour If-Match and If-None-Match:', () => {
  for (const resource of changeableOf(registry)) {
    it(resource.name, async () => {
      const id = await factory.make(resource.name)
      const path = `/v2/${resource.name}/${id}`
      const rowOf = () => world.database.rows(`select xmin, t::text from "${resource.table}" t where id = $1`, [id])
      const before = await rowOf()
      const body = { [resource.singular]: {} }
      for (const method of ['PATCH', 'PUT', 'DELETE']) {
        const isOffered = method !== 'DELETE' || (resource.actions !== embeddedOnly && resource.actions.destroy)
        if (!isOffered) continue
        const refused = await factory.administrator.request(method, path, { body, headers: { 'if-match': STALE } })
        assert.equal(refused.status, 412, `${method}: ${refused.text}`)
        const exists = await factory.administrator.request(method, path, { body, headers: { 'if-none-match': '*' } })
        assert.equal(exists.status, 412, `${method}: ${exists.text}`)
      }
      assert.deepEqual(await rowOf(), before)
      for (const etag of [await etagOf(path), '*', `${STALE}, ${await etagOf(path)}`]) {
        const { status, text } = await factory.administrator.patch(path, body, { 'if-match': etag })
        assert.equal(status, 204, `${etag}: ${text}`)
      }
    })
  }
})

describe('a record that several editors have read', () => {
  it('is changed by the first write, and the others return 412', async () => {
    const path = `/v2/tags/${await factory.make('tags')}`
    const etag = await etagOf(path)
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => factory.administrator.patch(path, { tag: { name } }, { 'if-match': etag })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 412, 412])
    const refused = answers.find(({ status }) => status === 412)
    assert.equal(refused?.json.error, 'Precondition Failed')
    assert.match(refused?.json.message, /changed since you read it/)
    assert.notEqual(await etagOf(path), etag)
  })

  it('is deleted only if its ETag still matches', async () => {
    const path = `/v2/tags/${await factory.make('tags')}`
    const etag = await etagOf(path)
    await factory.administrator.patch(path, { tag: { name: 'Changed meanwhile' } })
    assert.equal((await factory.administrator.delete(path, { 'if-match': etag })).status, 412)
    assert.equal((await factory.administrator.delete(path, { 'if-match': await etagOf(path) })).status, 204)
  })

  it('is changed with the ETag of its JSON:API document', async () => {
    const id = await factory.make('tags')
    const path = `/v2/tags/${id}`
    const etag = await etagOf(path, { accept: JSON_API.accept })
    const body = JSON.stringify({ data: { type: 'tags', id: String(id), attributes: { name: 'By document' } } })
    const changed = await factory.administrator.patch(path, body, { ...JSON_API, 'if-match': etag })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await factory.administrator.patch(path, body, { ...JSON_API, 'if-match': etag })).status, 412)
    const deletion = { accept: JSON_API.accept, 'if-match': String(changed.headers.get('etag')) }
    assert.equal((await factory.administrator.delete(path, deletion)).status, 204)
  })
})

describe('a precondition', () => {
  it('applies to actions on a record', async () => {
    const id = await world.build.user({ login: 'acted-on' })
    const path = `/v2/users/${id}`
    const { status } = await factory.administrator.post(
      `${path}/correction_points/add`,
      { reason: 'Gift' },
      { 'if-match': STALE },
    )
    assert.equal(status, 412)
    const etag = await etagOf(path)
    const added = await factory.administrator.post(
      `${path}/correction_points/add`,
      { reason: 'Gift' },
      { 'if-match': etag },
    )
    assert.ok(added.status < 300, added.text)
  })

  it('accepts the ETag of the JSON:API document for each action on a record, at each address of the record', async () => {
    const user_id = await world.build.user({ login: 'acted-on-by-document' })
    const project_id = await factory.find('projects')
    const registered = { user_id, project_id, status: 'finished', final_mark: 100, validated: true }
    const project = `/v2/projects_users/${await world.build.record('projects_users', registered)}`
    const gift = { reason: 'Gift' }
    const named = { user_id, project_id }
    for (const [method, path, read, body] of [
      ['POST', `/v2/users/${user_id}/correction_points/add`, `/v2/users/${user_id}`, gift],
      ['POST', `/v2/users/${user_id}/correction_points/add/`, `/v2/users/${user_id}`, gift],
      ['POST', '/v2/users/acted-on-by-document/correction_points/add', '/v2/users/acted-on-by-document', gift],
      ['POST', '/v2/users/acted-on-by-document/correction_points/add', `/v2/users/${user_id}`, gift],
      ['PATCH', `${project}/compile`, project, {}],
      ['PATCH', '/v2/projects_users/scale', project, { ...named, scale: 90 }],
      ['DELETE', '/v2/projects_users/reset', project, named],
    ] as const) {
      const act = async (etag: string) => {
        const headers = { accept: JSON_API.accept, 'content-type': 'application/json', 'if-match': etag }
        return (await factory.administrator.request(method, path, { body: JSON.stringify(body), headers })).status
      }
      assert.equal(await act(STALE), 412, path)
      assert.ok((await act(await etagOf(read, { accept: JSON_API.accept }))) < 300, `${path} as ${read} shows it`)
    }
  })

  it('matches every version only if it is a single asterisk', async () => {
    const path = `/v2/tags/${await factory.make('tags')}`
    for (const etag of ['"other", *', '*, "other"', '"a,*,b"', '"*"', 'W/*']) {
      assert.equal(
        (await factory.administrator.patch(path, { tag: { name: 'Lost' } }, { 'if-match': etag })).status,
        412,
        etag,
      )
    }
  })

  it('fails if the caller may not read the record, unless it is `*`', async () => {
    const rule = { kind: 'inscription', name: 'Never on Mondays', internal_name: 'never_on_mondays' }
    const made = await factory.administrator.post('/v2/rules', { rule })
    const path = `/v2/rules/${made.json.id}`
    const staff = await world.caller({ roles: ['Advanced Staff'] })
    const etag = await etagOf(path)
    assert.equal((await staff.patch(path, { rule: { name: 'Guessed' } }, { 'if-match': etag })).status, 412)
    assert.equal((await staff.patch(path, { rule: { name: 'Any' } }, { 'if-match': '*' })).status, 204)
  })

  it('does not replace the status of a request that fails without it', async () => {
    const path = `/v2/tags/${await factory.make('tags')}`
    assert.equal((await factory.administrator.patch('/v2/tags/999999', {}, { 'if-match': STALE })).status, 404)
    assert.equal((await factory.administrator.patch(path, { tag: { nope: 1 } }, { 'if-match': STALE })).status, 422)
    assert.equal((await world.visitor.patch(path, { tag: {} }, { 'if-match': STALE })).status, 403)
  })
})
