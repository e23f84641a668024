import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { text as textIn } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { campus, type World } from '@campus/test/support/campus'
import type { Response } from '@campus/test/support/client'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const PARTS_TYPE = { 'content-type': 'multipart/form-data; boundary=edge' }
const JSON_API_TYPE = { 'content-type': 'application/vnd.api+json' }

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

/** Bytes of Latin-1, so that `\xff` is that byte. */
const bytes = (text: string) => Buffer.from(text, 'latin1')
const part = (name: string, value: string, more = '') =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

function assertMalformed({ status, json, text }: Response, message: RegExp): void {
  assert.equal(status, 400, text)
  assert.match(json.message ?? json.error_description ?? json.errors[0].detail, message)
}

describe('what is not UTF-8 is refused with 400:', () => {
  for (const [what, body, type] of [
    ['in JSON', '{"language":{"name":"\xff","identifier":"xx"}}', JSON_TYPE],
    ['in a name of JSON', '{"language":{"na\xe9me":"x"}}', JSON_TYPE],
    ['half a letter at the end of JSON', '{"language":{"name":"x"}}\xc3', JSON_TYPE],
    ['a surrogate in JSON', '{"language":{"name":"\xed\xa0\x80"}}', JSON_TYPE],
    ['in JSON:API', '{"data":{"type":"languages","attributes":{"name":"\xff"}}}', JSON_API_TYPE],
    ['in a form', 'language[name]=\xff', FORM_TYPE],
    ['percent-encoded in a form', 'language[name]=%FF', FORM_TYPE],
    ['in the name of a field', 'language[\xff]=x', FORM_TYPE],
    ['in multipart', `${part('language[name]', '\xff')}--edge--\r\n`, PARTS_TYPE],
    ['in the name of a part', `${part('language[\xff]', 'x')}--edge--\r\n`, PARTS_TYPE],
  ] as const) {
    it(what, async () => {
      assertMalformed(await world.director.post('/v2/languages', bytes(body), type), /UTF-8|percent-encoding/)
    })
  }

  for (const [what, query] of [
    ['percent-encoded in a query', 'search=%FF'],
    ['percent-encoded in the name of a parameter', '%FF=1'],
  ] as const) {
    it(what, async () => assertMalformed(await world.visitor.get(`/v2/users?${query}`), /percent-encoding/))
  }

  it('in a token request', async () => {
    assertMalformed(await world.anonymous.post('/oauth/token', bytes('grant_type=\xff'), FORM_TYPE), /UTF-8/)
  })

  it('and nothing of it is kept', async () => {
    assert.deepEqual(await world.database.rows('select id from languages'), [])
  })
})

describe('any text comes back as it was sent', () => {
  const TEXT = 'é🎓\u2028"\\</script>\ufffd\u0001'
  const formOf = (name: string, text: string) => `achievement[name]=${name}&achievement[description]=${text}`
  const PARTS = `${part('achievement[name]', 'Parts')}${part('achievement[description]', TEXT)}--edge--\r\n`
  for (const [what, body, type] of [
    ['in JSON', JSON.stringify({ achievement: { name: 'JSON', description: TEXT } }), JSON_TYPE],
    [
      'in JSON after a byte order mark',
      `\ufeff${JSON.stringify({ achievement: { name: 'BOM', description: TEXT } })}`,
      JSON_TYPE,
    ],
    ['in a form', formOf('Form', encodeURIComponent(TEXT)), FORM_TYPE],
    ['in a form as bare bytes', formOf('Bare', TEXT.replace('\u0001', '%01')), FORM_TYPE],
    ['in multipart', PARTS, PARTS_TYPE],
  ] as const) {
    it(what, async () => {
      const { status, json, text } = await world.director.post('/v2/achievements', body, type)
      assert.equal(status, 201, text)
      assert.equal(json.description, TEXT)
    })
  }

  it('in a query', async () => {
    const { status, json, text } = await world.director.post(
      `/v2/achievements?${formOf('Query', encodeURIComponent(TEXT))}`,
    )
    assert.equal(status, 201, text)
    assert.equal(json.description, TEXT)
  })
})

describe('bytes of an address that are not encoded', () => {
  /** HTTP/2, since HTTP/1.1 is refused with such bytes before anybody reads them. */
  async function answerTo(path: Buffer): Promise<readonly [status: number, text: string]> {
    const session = connect(world.url, { ca: world.ca })
    const headers = { ':path': path.toString('latin1'), authorization: `Bearer ${world.visitor.token}` }
    const stream = session.request(headers)
    const [[answer], text] = await Promise.all([once(stream, 'response'), textIn(stream)])
    session.close()
    return [answer[':status'], text]
  }

  it('are read as UTF-8', async () => {
    const id = await world.build.user({ login: 'zoe', first_name: 'Zoé' })
    const [status, text] = await answerTo(Buffer.from('/v2/users?filter[first_name]=Zoé'))
    assert.equal(status, 200, text)
    assert.deepEqual(
      JSON.parse(text).map((user: { id: number }) => user.id),
      [id],
    )
  })

  it('are refused where they are none', async () => {
    const [status, text] = await answerTo(Buffer.from('/v2/users?filter[first_name]=\xff', 'latin1'))
    assert.equal(status, 400, text)
  })
})

describe('a compressed body is refused and not unpacked, with 415 where the protocol has it:', () => {
  const BOMB = gzipSync(Buffer.alloc(10 * 1_048_576, ' '))
  for (const coding of ['gzip', 'GZIP', 'identity, gzip', 'deflate', 'br', 'zstd']) {
    it(coding, async () => {
      for (const type of [JSON_TYPE, FORM_TYPE, PARTS_TYPE, JSON_API_TYPE]) {
        const headers = { ...type, 'content-encoding': coding }
        const { status, text } = await world.director.post('/v2/languages', BOMB, headers)
        assert.equal(status, 415, text)
        assert.match(text, /compressed .* send it as it is/)
      }
      const headers = { ...FORM_TYPE, 'content-encoding': coding }
      assertMalformed(await world.anonymous.post('/oauth/token', BOMB, headers), /compressed .* send it as it is/)
    })
  }

  it('but what only says that it is text is read', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'utf-8' }
    const body = Buffer.from('{"language":{"name":"Coded","identifier":"coded"}}')
    assert.equal((await world.director.post('/v2/languages', body, headers)).status, 201)
  })
})

describe('a body beyond a limit is refused with the limit in words:', () => {
  const member = (count: number) => Array.from({ length: count }, (_, at) => `"key${at}":1`).join(',')
  for (const [what, path, body, type, status, limit] of [
    ['too many members', '/v2/languages', `{"language":{${member(2_001)}}}`, JSON_TYPE, 400, /at most 2000/],
    [
      'too deep',
      '/v2/users',
      `{"user":{"meta":${'{"a":'.repeat(5e3)}1${'}'.repeat(5e3)}}}`,
      JSON_TYPE,
      400,
      /64 levels/,
    ],
    [
      'too many values',
      '/v2/cursus',
      `{"cursus":{"skill_ids":[${'1,'.repeat(2e4)}1]}}`,
      JSON_TYPE,
      400,
      /20000 values/,
    ],
    ['too many ids', '/v2/cursus', `{"cursus":{"skill_ids":[${'1,'.repeat(1e3)}1]}}`, JSON_TYPE, 422, /at most 1000/],
    ['too many fields', '/v2/languages', 'language[name]=x&'.repeat(2_001), FORM_TYPE, 400, /At most 2000/],
    ['fields nested too deeply', '/v2/users', `user[meta]${'[a]'.repeat(20)}=1`, FORM_TYPE, 400, /16 levels/],
    ['too many parts', '/v2/languages', `${part('a', 'x').repeat(2_001)}--edge--\r\n`, PARTS_TYPE, 413, /At most 2000/],
    [
      ...['too many files', '/v2/languages'],
      ...[`${part('a', 'x', '; filename="x"').repeat(21)}--edge--\r\n`, PARTS_TYPE, 413, /At most 20 files/],
    ],
  ] as [string, string, string, Record<string, string>, number, RegExp][]) {
    it(what, async () => {
      const answer = await world.director.post(path, body, type)
      assert.equal(answer.status, status, answer.text.slice(0, 300))
      assert.match(answer.json.message, limit)
    })
  }

  it('but as much as a limit says is read', async () => {
    const levels = `{"user":{"meta":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}}`
    assert.equal((await world.director.post('/v2/users', levels, JSON_TYPE)).status, 422)
    const { status, json } = await world.director.post('/v2/languages', `{"language":{${member(2_000)}}}`, JSON_TYPE)
    assert.equal(status, 422)
    assert.match(json.message, /1952 more fields are faulty/)
    assert.ok(Object.keys(json.errors).length <= 51)
  })
})

describe('JSON that is sent as a form', () => {
  it('is refused with the content type that it needs', async () => {
    const body = '{"language":{"name":"Irish"}}'
    assertMalformed(await world.director.post('/v2/languages', body, FORM_TYPE), /Content-Type: application\/json/)
    assertMalformed(await world.anonymous.post('/oauth/token', body, FORM_TYPE), /Content-Type: application\/json/)
  })
})
