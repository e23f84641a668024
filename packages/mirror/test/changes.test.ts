/** Changes that are easy to miss, or that cannot be written one after another, reach a copy. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { resources } from '@campus/intranet/school/resources/index'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { frozenTimer } from '@campus/test/client/stand-ins'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { type MirrorOptions, mirror } from '../mirror.ts'
import { type FaultyProxy, faultyProxy } from './faulty-proxy.ts'

const ALL = resources(new Sealer(Buffer.alloc(32)))
const PLENTY = 1_000_000
const MANY = 250

let source: World
let target: TestDatabase
let proxy: FaultyProxy
let options: MirrorOptions

before(async () => {
  source = await campus()
  proxy = await faultyProxy(source, () => undefined)
  const { uid, secret } = await source.database.transaction((tx) =>
    createApplication(tx, { name: 'Copier', rate_per_second: PLENTY, rate_per_hour: PLENTY, confidential: true }),
  )
  options = { url: proxy.url, app: uid, secret, timer: frozenTimer() }
})
after(async () => {
  await proxy.close()
  await source.close()
})
beforeEach(async () => {
  target = await testDatabase()
})
afterEach(() => target.close())

const names = (database: Pick<TestDatabase, 'rows'>, table: string) =>
  database.rows(`select id, name from ${table} order by id`)

describe('the next run', () => {
  it('writes unique values that changed places, moved on or were freed', async () => {
    const made = ['first', 'second', 'third', 'fourth']
    for (const name of made) assert.equal((await source.director.post('/v2/themes', { theme: { name } })).status, 201)
    const [one, two, three, four] = (await names(source.database, 'themes')).map(([id]) => Number(id))
    await mirror(target, ALL, options)
    const rename = async (id: number | undefined, name: string) => {
      source.clock.advance(1)
      assert.equal((await source.director.patch(`/v2/themes/${id}`, { theme: { name } })).status, 204)
    }
    await rename(one, 'spare')
    await rename(two, 'first')
    await rename(one, 'second')
    await rename(three, 'away')
    await rename(four, 'third')
    const report = await mirror(target, ALL, options)
    assert.deepEqual(await names(target, 'themes'), await names(source.database, 'themes'))
    assert.deepEqual(report.problems, [])
  })

  it('reads more records than a page has that changed at the same time', async () => {
    for (let at = 0; at < MANY; at += 1) await source.build.user()
    await mirror(target, ALL, options)
    await source.database.rows("update users set first_name = 'Grace', updated_at = now()")
    await mirror(target, ALL, options)
    const count = "select count(*) from users where first_name = 'Grace'"
    assert.deepEqual(await target.rows(count), await source.database.rows(count))
  })

  it('sees changes after a record whose last change lies in the future', async () => {
    const [early, late] = [await source.build.user(), await source.build.user()]
    await source.database.rows(`update users set updated_at = '2999-01-01' where id = ${late}`)
    await mirror(target, ALL, options)
    await source.database.rows(`update users set first_name = 'Later', updated_at = now() where id = ${early}`)
    await mirror(target, ALL, options)
    assert.deepEqual(await target.rows(`select first_name from users where id = ${early}`), [['Later']])
  })
})
