import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '@campus/intranet/school/resources/index'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { frozenTimer } from '@campus/test/client/stand-ins'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { estimateMirror } from '../estimate.ts'
import { type MirrorOptions, mirror } from '../mirror.ts'
import { SourceRefused } from '../source.ts'
import { differences } from './differences.ts'
import { type Failure, type FaultyProxy, faultyProxy } from './faulty-proxy.ts'
import { NOT_REPRESENTED } from './not-represented.ts'

const ALL = resources(new Sealer(Buffer.alloc(32)))
const ROLES = ['Advanced Staff', 'Advanced Tutor', 'Companies Manager', 'Transactions manager', 'Events manager']
const SCOPES = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']
const PLENTY = 1_000_000

let source: World
let target: TestDatabase
let copy: World
let proxy: FaultyProxy
let options: MirrorOptions
/** Failure of a request to the source, by its number. */
let failureOf: (request: number) => Failure | undefined = () => undefined

before(async () => {
  source = await campus({ seeded: { users: 20, locations: 40 } })
  target = await testDatabase()
  copy = await campus({ on: target })
  const app = await source.database.transaction((tx) =>
    createApplication(tx, {
      name: 'Copier',
      scopes: SCOPES,
      roles: ROLES,
      rate_per_second: PLENTY,
      rate_per_hour: PLENTY,
      confidential: true,
    }),
  )
  proxy = await faultyProxy(source, (request) => failureOf(request))
  options = { url: proxy.url, app: app.uid, secret: app.secret, scopes: SCOPES, timer: frozenTimer() }
})
after(async () => {
  await proxy.close()
  await copy.close()
  await source.close()
})

const compare = async () => {
  const [there, here] = [
    await source.caller({ roles: ROLES, scopes: SCOPES }),
    await copy.caller({ roles: ROLES, scopes: SCOPES }),
  ]
  return differences(ALL, { client: there, url: source.url }, { client: here, url: copy.url })
}

const FAILURES: readonly Failure[] = ['cut', 'half', 'error', 'wait', 'unauthorized']

describe('a copy of another service', () => {
  it('says before how many pages there are, and how long they take', async () => {
    const { lists, pages, seconds, unreadable } = await estimateMirror(target, ALL, options)
    assert.ok(lists.length > 50)
    assert.ok(pages >= lists.length)
    assert.ok(seconds >= 1)
    assert.deepEqual(unreadable, [])
    assert.equal((await copy.database.rows('select count(*) from mirror_source'))[0]?.[0], '0')
  })

  it('may be begun again at another address as long as nothing was read', async () => {
    const misspelt = { ...options, url: 'http://127.0.0.1:9' }
    await assert.rejects(mirror(target, ALL, misspelt), SourceRefused)
    await assert.rejects(mirror(target, ALL, { ...options, secret: 's-wrong' }), SourceRefused)
    assert.deepEqual(await target.rows('select url from mirror_source'), [[options.url]])
  })

  it('is refused at once where asking again would not help', async () => {
    const asked = proxy.requests()
    const unknown = mirror(target, ALL, { ...options, url: 'https://nowhere.invalid' })
    await assert.rejects(unknown, /cannot be reached: .*Is the address right\?/)
    const untrusted = mirror(target, ALL, { ...options, url: source.url })
    await assert.rejects(untrusted, /cannot be reached: .*NODE_EXTRA_CA_CERTS/)
    assert.equal(proxy.requests(), asked)
  })

  it('is whole and equal after requests were cut, refused and limited, and after the copying was ended ten times', async () => {
    // Eight failures in a row end a run; the next one comes a few requests further.
    failureOf = (request) =>
      request % 17 > 6 ? 'cut' : request % 5 === 0 ? FAILURES[request % FAILURES.length] : undefined
    for (let run = 0; run < 10; run += 1) await assert.rejects(mirror(target, ALL, options), SourceRefused)
    failureOf = (request) => (request % 7 === 0 ? FAILURES[(request / 7) % FAILURES.length] : undefined)
    const report = await mirror(target, ALL, options)
    failureOf = () => undefined
    assert.deepEqual(
      [await compare(), report.unreadable, report.unknown, report.problems],
      [NOT_REPRESENTED, [], {}, []],
    )
  })

  it('calls no webservice, and writes no journal of what happened elsewhere', async () => {
    const counts = 'select (select count(*) from deliveries), (select count(*) from journals)'
    const [there] = await source.database.rows(counts)
    assert.deepEqual(await target.rows(counts), [['0', there?.[1]]])
  })

  it('is left alone where nothing has changed there', async () => {
    const report = await mirror(target, ALL, options)
    assert.deepEqual([report.written, report.deleted, report.problems], [0, 0, []])
  })

  it('follows what is changed, made and deleted there', async () => {
    const [[id, login] = []] = await source.database.rows('select id, login from users order by id desc limit 1')
    const { director } = source
    assert.equal((await director.patch(`/v2/users/${id}`, { user: { first_name: 'Renamed' } })).status, 204)
    const made = await director.post('/v2/tags', { tag: { name: 'made later' } })
    assert.equal(made.status, 201)
    const [[gone] = []] = await source.database.rows('select id from locations order by id offset 3 limit 1')
    const [[left] = []] = await source.database.rows('select id from tags_users order by id limit 1')
    assert.equal((await source.staff.delete(`/v2/locations/${gone}`)).status, 204)
    assert.equal((await director.delete(`/v2/tags_users/${left}`)).status, 204)
    const report = await mirror(target, ALL, options)
    assert.deepEqual(report.problems, [])
    assert.equal(report.deleted, 2)
    const { json } = await copy.visitor.get(`/v2/users/${login}`)
    assert.equal(json.first_name, 'Renamed')
    assert.deepEqual(await compare(), NOT_REPRESENTED)
  })

  it('gives what is made here ids beyond those that were read', async () => {
    const [[greatest] = []] = await target.rows('select max(id) from tags')
    const { json } = await copy.director.post('/v2/tags', { tag: { name: 'made here' } })
    assert.ok(json.id > Number(greatest))
  })

  it('is made of one service and one campus, and of no database with people of its own', async () => {
    await assert.rejects(mirror(target, ALL, { ...options, url: 'http://127.0.0.1:9' }), /is a copy of/)
    await assert.rejects(mirror(target, ALL, { ...options, campusId: 1 }), /is a copy of/)
    await assert.rejects(mirror(source.database, ALL, options), /people of its own/)
    assert.equal((await source.database.rows('select count(*) from mirror_source'))[0]?.[0], '0')
  })

  it('is refused with a wrong secret, in the words of the service', async () => {
    await assert.rejects(mirror(target, ALL, { ...options, secret: 's-wrong' }), (error: Error) => {
      assert.ok(error instanceof SourceRefused)
      assert.match(error.message, /no token: 401/)
      assert.ok(!error.message.includes('s-wrong'))
      return true
    })
  })
})
