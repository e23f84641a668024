import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type Flow, flowOf } from '@campus/test/support/oauth-flow'
import { Agent } from 'undici'
import { FileLinks } from '../../services/attachments/file-links.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const PICTURES = 'https://pictures.example/campus'

describe('the public address of pictures', () => {
  let world: World
  let flow: Flow
  before(async () => {
    world = await campus({ seeded: true, env: { CAMPUS_PICTURES_URL: `${PICTURES}/` } })
    flow = flowOf(world)
  })
  after(() => world?.close())

  it('begins the address of every picture in every list, and no other address', async () => {
    const { json: index } = await world.anonymous.get('/v2')
    const kinds = new Set<string>()
    for (const address of Object.values(index.resources as Record<string, string>)) {
      const { status, text } = await world.director.get(`${new URL(address).pathname}?per_page=100`)
      if (status !== 200) continue
      assert.ok(!text.includes(`${world.url}/uploads/`), address)
      for (const [, kind = ''] of text.matchAll(/"https:\/\/pictures\.example\/campus\/uploads\/(\w+)\//g))
        kinds.add(kind)
      for (const [, path = ''] of text.matchAll(/"https:\/\/pictures\.example\/campus\/(\w+)/g))
        assert.equal(path, 'uploads')
    }
    for (const kind of ['users', 'coalitions', 'products']) assert.ok(kinds.has(kind), `${kind} of ${[...kinds]}`)
  })

  it('begins the address of each size of a picture, which the service also serves at its own address', async () => {
    const { json: user } = await world.visitor.get('/v2/users?per_page=1&sort=id')
    const { link, versions } = user[0].image
    for (const address of [link, ...Object.values<string>(versions)]) {
      assert.ok(address.startsWith(`${PICTURES}/uploads/`), address)
      const { statusCode, body } = await world.agent.request({
        origin: world.url,
        path: address.slice(PICTURES.length),
        method: 'GET',
      })
      await body.dump()
      assert.equal(statusCode, 200)
    }
  })

  it('is accepted in a sent record, and so is the address of the service', async () => {
    for (const [name, column] of [
      ['users', 'image'],
      ['coalitions', 'image_url'],
      ['products', 'image'],
      ['clusters', 'image'],
    ] as const) {
      const [found] = await world.database.rows(
        `select id from "${name}" where "${column}" like '/uploads/%' order by id limit 1`,
      )
      const id = Number(found?.[0])
      const stored = async () =>
        (await world.database.rows(`select "${column}" from "${name}" where id = ${id}`))[0]?.[0]
      const before = await stored()
      const path = `/v2/${name}/${id}`
      const singular = name.slice(0, -1)
      const { json: record } = await world.director.get(path)
      assert.equal((await world.director.put(path, { [singular]: record })).status, 204, name)
      assert.equal(await stored(), before)
      const own = { [column]: `${world.url}${before}` }
      assert.equal((await world.director.patch(path, { [singular]: own })).status, 204, name)
      assert.equal(await stored(), before)
      const foreign = { [column]: `${world.url}.example/uploads/1.svg` }
      assert.equal((await world.director.patch(path, { [singular]: foreign })).status, 204, name)
      assert.equal(await stored(), foreign[column])
    }
  })

  it('has a host at which only pictures are served', async () => {
    const agent = new Agent({ connect: { ca: world.ca, checkServerIdentity: () => undefined } })
    const statusOf = async (path: string, host: string) => {
      const { statusCode, headers, body } = await agent.request({
        origin: world.url,
        path,
        method: 'GET',
        headers: { host },
      })
      await body.dump()
      assert.equal(headers['set-cookie'], undefined)
      return statusCode
    }
    const { host } = new URL(PICTURES)
    for (const name of [host, host.toUpperCase(), `${host}:443`]) {
      assert.equal(await statusOf('/uploads/users/ada.svg', name), 200)
      for (const path of [
        '/',
        '/sign-in',
        '/health',
        '/v2/campus',
        '/oauth/jwks',
        '/assets/icon.svg',
        '/uploads/..%2fv2',
      ])
        assert.equal(await statusOf(path, name), 404, path)
    }
    assert.equal(await statusOf('/oauth/jwks', 'other.example'), 200)
    await agent.close()
  })

  it('begins the claim picture', async () => {
    const person = await flow.person()
    const app = await flow.application({ scopes: ['openid', 'profile'] })
    const { access_token } = await flow.tokens(person, app, { scope: 'openid profile' })
    const { json } = await world.anonymous.get('/oauth/userinfo', { authorization: `Bearer ${access_token}` })
    assert.ok(json.picture.startsWith(`${PICTURES}/uploads/initials/`), json.picture)
  })

  it('begins the pictures of pages, and their content policy allows its host', async () => {
    const person = await flow.person()
    const page = await person.get(`/people/${person.login}`)
    const sources = [...page.text.matchAll(/<img [^>]*src="([^"]*)"/g)]
      .map(([, source = '']) => source)
      .filter((source) => !source.startsWith('/assets/'))
    assert.ok(sources.length > 0)
    for (const source of sources) assert.ok(source.startsWith(`${PICTURES}/uploads/`), source)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /img-src 'self' https:\/\/pictures\.example;/)
  })
})

it('a signed address opens below any address of the service', () => {
  const clock = { now: () => new Date('2026-03-02T10:00:00.000Z') }
  const sealer = new Sealer(Buffer.alloc(32, 7))
  const links = new FileLinks({ sealer, clock, baseUrl: 'https://campus.example', linkHours: 1 })
  const path = '/files/1/crest.png'
  const [own, other] = [links.sign(path), links.sign(path, PICTURES)].map((address) => new URL(address))
  assert.equal(own?.href, `https://campus.example${path}${own?.search}`)
  assert.equal(other?.href, `${PICTURES}${path}${own?.search}`)
  assert.ok(links.check(path, Object.fromEntries(other?.searchParams ?? [])) > 0)
})
