import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { attachmentForm, fileOf, pathOf } from '@campus/test/support/uploads'

const HOUR = 3600
const TEXT = 'The quick brown fox jumps over the lazy dog.\n'

describe('the address of a file', () => {
  let world: World
  let path: string
  let etag: string
  let project: number

  before(async () => {
    world = await campus()
    project = await world.build.record('projects', { name: 'Libft', slug: 'libft' })
    path = pathOf(world, (await attach('fox.txt')).url)
    etag = (await world.anonymous.get(path)).headers.get('etag') ?? ''
  })
  after(() => world.close())

  async function attach(fileName: string, content = TEXT) {
    const element = { name: 'Fox', attachable_type: 'document', document: fileOf(content, fileName) }
    const { status, json, text } = await world.director.post(
      `/v2/projects/${project}/attachments`,
      attachmentForm({ kind: 'document' }, element),
    )
    assert.equal(status, 201, text)
    return json
  }
  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    world.anonymous.request(method, path, { headers })

  it('opens without a token, and lets nothing in the file run or be taken for something else', async () => {
    const { status, text, headers } = await ask()
    assert.deepEqual([status, text], [200, TEXT])
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';.* sandbox$/)
    assert.equal(headers.get('content-disposition'), 'inline; filename="fox.txt"')
    assert.match(etag, /^"[0-9a-f]{64}"$/)
    assert.match(headers.get('cache-control') ?? '', /^private, max-age=\d+, immutable$/)
    assert.equal(headers.get('accept-ranges'), 'bytes')
  })

  it('says the same to HEAD, without the file', async () => {
    const [whole, head] = [await ask(), await ask({}, 'HEAD')]
    assert.deepEqual([head.status, head.text], [200, ''])
    for (const name of ['content-type', 'content-length', 'etag', 'content-disposition', 'last-modified']) {
      assert.equal(head.headers.get(name), whole.headers.get(name), name)
    }
  })

  for (const [range, part, contentRange] of [
    ['bytes=4-8', 'quick', 'bytes 4-8/45'],
    ['bytes=40-', 'dog.\n', 'bytes 40-44/45'],
    ['bytes=-5', 'dog.\n', 'bytes 40-44/45'],
    ['bytes=40-9999', 'dog.\n', 'bytes 40-44/45'],
    ['bytes=-9999', TEXT, 'bytes 0-44/45'],
  ] as const) {
    it(`gives a part to ${range}`, async () => {
      const { status, text, headers } = await ask({ range })
      assert.deepEqual([status, text, headers.get('content-range')], [206, part, contentRange])
      assert.equal(headers.get('content-length'), String(part.length))
    })
  }

  for (const range of ['bytes=8-4', 'lines=1-2', 'bytes=a-b', 'bytes=0-1,4-5', 'bytes=-']) {
    it(`gives the whole to ${range}`, async () => {
      const { status, text } = await ask({ range })
      assert.deepEqual([status, text], [200, TEXT])
    })
  }

  it('has nothing beyond the end', async () => {
    for (const range of ['bytes=45-', 'bytes=99-100', 'bytes=-0']) {
      const { status, headers } = await ask({ range })
      assert.deepEqual([status, headers.get('content-range')], [416, 'bytes */45'])
    }
  })

  it('gives a part to If-Range only while the rest is of the same file', async () => {
    const { headers } = await ask()
    const range = 'bytes=4-8'
    for (const [condition, status] of [
      [etag, 206],
      [headers.get('last-modified') ?? '', 206],
      ['"another"', 200],
      [`W/${etag}`, 200],
      ['Mon, 01 Jan 2024 00:00:00 GMT', 200],
    ] as const) {
      assert.equal((await ask({ range, 'if-range': condition })).status, status, condition)
    }
  })

  it('says what has not changed', async () => {
    for (const headers of [{ 'if-none-match': etag }, { 'if-none-match': `"x", W/${etag}` }]) {
      const answer = await ask(headers)
      assert.deepEqual([answer.status, answer.text], [304, ''])
    }
    assert.equal((await ask({ 'if-none-match': '"x"' })).status, 200)
    const since = (await ask()).headers.get('last-modified') ?? ''
    assert.equal((await ask({ 'if-modified-since': since })).status, 304)
    assert.equal((await ask({ 'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT' })).status, 200)
  })

  for (const [name, disposition] of [
    ['sujet été.txt', `inline; filename="sujet ete.txt"; filename*=UTF-8''sujet%20%C3%A9t%C3%A9.txt`],
    ['課題.txt', `inline; filename="__.txt"; filename*=UTF-8''%E8%AA%B2%E9%A1%8C.txt`],
    ['data.json', 'inline; filename="data.json"'],
    ['../../etc/passwd', 'inline; filename="passwd"'],
    ['50% off.txt', `inline; filename="50_ off.txt"; filename*=UTF-8''50%25%20off.txt`],
    ["it's (a) test.txt", 'inline; filename="it\'s (a) test.txt"'],
    ['.hidden', 'inline; filename="hidden"'],
  ] as const) {
    it(`of ${name} has a name that every browser reads`, async () => {
      const { url } = await attach(name, `${TEXT}${name}`)
      const { status, headers } = await world.anonymous.get(pathOf(world, url))
      assert.deepEqual([status, headers.get('content-disposition')], [200, disposition])
    })
  }

  it('offers what a browser might run for saving only', async () => {
    const zip = Buffer.from('504b0304140000000000000000000000000000000000000000000100000061', 'hex').toString('latin1')
    const element = { name: 'a', attachable_type: 'code', code: fileOf(Buffer.from(zip, 'latin1'), 'a.zip') }
    const { json } = await world.director.post(
      `/v2/projects/${project}/attachments`,
      attachmentForm({ kind: 'code' }, element),
    )
    const { headers } = await world.anonymous.get(pathOf(world, json.url))
    assert.deepEqual(
      [headers.get('content-type'), headers.get('content-disposition')],
      ['application/zip', 'attachment; filename="a.zip"'],
    )
  })

  it('is refused when it was altered, or made up', async () => {
    const other = path.replace('expires=', 'expires=1')
    for (const altered of [
      other,
      path.replace('fox', 'cat'),
      path.replace(/\/files\/\d+/, '/files/2'),
      path.split('?')[0] ?? '',
      path.slice(0, -1),
    ]) {
      const { status, json } = await world.anonymous.get(altered)
      assert.deepEqual([status, json.error], [403, 'Forbidden'], altered)
    }
    assert.equal((await world.anonymous.post(path)).status, 405)
  })

  it('is one address: no other text of its parameters opens it, and none is an error of ours', async () => {
    const [place = '', expires = '', signature = ''] = path.split(/\?expires=|&signature=/)
    const written = (query: string) => `${place}?${query}`
    for (const query of [
      `expires=${expires}&signature=${signature}&signature=x`,
      `expires=${expires}&signature=${signature}&expires=1`,
      ...[
        `signature[]=${signature}`,
        `signature[a]=${signature}`,
        `signature[][a]=${signature}`,
        `Signature=${signature}`,
      ].map((one) => `expires=${expires}&${one}`),
      ...[
        `expires[]=${expires}`,
        `expires[a]=${expires}`,
        `expires=0${expires}`,
        `expires=+${expires}`,
        `expires=%2B${expires}`,
      ]
        .concat([
          `expires=${expires}.0`,
          `expires=${expires}e0`,
          `expires=${expires}%00`,
          'expires=NaN',
          'expires=Infinity',
        ])
        .map((one) => `${one}&signature=${signature}`),
      ...[`${signature}=`, `${signature}%20`, `%20${signature}`, `${signature}%00`, signature.toLowerCase(), ''].map(
        (one) => `expires=${expires}&signature=${one}`,
      ),
      `expires=${expires};signature=${signature}`,
      `expires=${'9'.repeat(10_000)}&signature=${signature}`,
      `expires=${expires}&signature=${signature.repeat(200)}`,
    ]) {
      const { status } = await world.anonymous.get(written(query))
      assert.equal(status, 403, query.slice(0, 200))
    }
    for (const other of [
      place.replace('/files/', '/files/0'),
      `${place}/`,
      `${place}.json`,
      place.replace('.txt', '%252etxt'),
    ]) {
      const { status } = await world.anonymous.get(path.replace(place, other))
      assert.equal(status, 403, other)
    }
  })

  it('opens no other file, also where both have one name', async () => {
    const other = pathOf(world, (await attach('fox.txt', 'another fox')).url)
    const [mine, othersOwn] = [path.split('?'), other.split('?')]
    assert.notEqual(mine[0], othersOwn[0])
    for (const mixed of [`${mine[0]}?${othersOwn[1]}`, `${othersOwn[0]}?${mine[1]}`])
      assert.equal((await world.anonymous.get(mixed)).status, 403)
  })

  it('opens when a proxy has written it in another way', async () => {
    assert.equal((await world.anonymous.get(path.replace('fox', '%66ox'))).status, 200)
  })

  it('stays the same for a while, and ends', async () => {
    const start = world.clock.now()
    const record = await attach('clock.txt', 'tick')
    // Tokens end too.
    const urlNow = async () => (await (await world.caller({})).get(`/v2/attachments/${record.id}`)).json.url
    world.clock.advance(HOUR)
    assert.equal(await urlNow(), record.url)
    // Long enough for a client that has just read it, whenever in the window that was.
    world.clock.set(new Date(start.getTime() + 24 * HOUR * 1000 - 1000))
    assert.equal((await world.anonymous.get(pathOf(world, record.url))).status, 200)
    world.clock.set(new Date(start.getTime() + 48 * HOUR * 1000))
    const { status, json } = await world.anonymous.get(pathOf(world, record.url))
    assert.deepEqual([status, json.message], [403, 'This address has expired: read the record again for a new one.'])
    const { headers } = await ask()
    assert.deepEqual(
      ['etag', 'last-modified'].map((name) => headers.get(name)),
      [null, null],
    )
    for (const [name, value] of [
      ['if-none-match', '*'],
      ['if-modified-since', world.clock.now().toUTCString()],
      ['range', 'bytes=0-1'],
    ] as const)
      for (const method of ['GET', 'HEAD']) {
        const asked = { headers: { [name]: value } }
        assert.equal((await world.anonymous.request(method, pathOf(world, record.url), asked)).status, 403)
      }
    assert.notEqual(await urlNow(), record.url)
    assert.equal((await world.anonymous.get(pathOf(world, await urlNow()))).status, 200)
    world.clock.set(start)
  })

  it('ends with the second that it names, and is cached no longer', async () => {
    const start = world.clock.now()
    const until = Number(/expires=(\d+)/.exec(path)?.[1]) * 1000
    world.clock.set(new Date(until - 1))
    assert.match((await ask()).headers.get('cache-control') ?? '', /^private, max-age=1, immutable$/)
    world.clock.set(new Date(until))
    const { status, headers } = await ask()
    assert.deepEqual([status, headers.get('cache-control')], [403, 'no-store'])
    world.clock.set(start)
  })

  it('is in every answer one that opens, whenever that was kept', async () => {
    const start = world.clock.now()
    const list = `/v2/projects/${project}/attachments`
    for (const hours of [0, 9, 23.9, 24, 24.1, 40, 71.99, 72]) {
      world.clock.set(new Date(start.getTime() + hours * HOUR * 1000))
      const reader = await world.caller({ roles: ['Basic Staff'], scopes: ['public', 'projects'] })
      for (const again of ['first', 'kept']) {
        const [record] = (await reader.get(list)).json
        const expires = Number(/expires=(\d+)/.exec(record.url)?.[1])
        assert.ok(expires - world.clock.now().getTime() / 1000 > 24 * HOUR - 1, `${hours} hours, ${again}`)
        assert.equal((await world.anonymous.get(pathOf(world, record.url))).status, 200, `${hours} hours, ${again}`)
      }
    }
    world.clock.set(start)
  })

  it('is gone with its file, in words', async () => {
    const { url } = await attach('gone.txt', 'soon gone')
    await world.database.rows('update stored_files set doomed_at = now() where bytes = 9')
    assert.equal((await world.anonymous.get(pathOf(world, url))).status, 404)
  })

  it('answers a refusal with nothing of the file, and the same to HEAD', async () => {
    const gone = pathOf(world, (await attach('lost.txt', 'soon lost')).url)
    await rm(world.config.files, { recursive: true })
    const ofFile = ['accept-ranges', 'content-disposition', 'content-security-policy', 'etag', 'last-modified']
    for (const [address, range, status, contentRange] of [
      [gone, undefined, 404, null],
      [gone, 'bytes=1-2', 404, null],
      [path, 'bytes=45-', 416, 'bytes */45'],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await world.anonymous.request(method, address, { headers: range ? { range } : {} })
        assert.deepEqual([answer.status, answer.headers.get('content-range')], [status, contentRange], method)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.deepEqual(
          ofFile.filter((name) => answer.headers.has(name)),
          [],
        )
      }
    }
  })
})
