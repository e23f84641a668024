import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { matchIdentity } from '../../access/school-identities.ts'
import { authenticateByPassword } from '../../access/sign-in.ts'
import { accountOf } from '../../school/domain/accounts/accounts.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

describe('people are found by what they are called,', () => {
  let world: World
  before(async () => {
    world = await campus()
    await personOf(world, { login: 'kate', email: 'kate@campus.test' })
    await personOf(world, { login: 'zoe', email: 'zoé@campus.test' })
  })
  after(() => world.close())

  const identified = (email: string) =>
    world.database.transaction((tx) =>
      matchIdentity(tx, world.clock.now(), { issuer: 'i', subject: email, email, isEmailVerified: true }, '192.0.2.1'),
    )
  const KELVIN = '\u212a'

  it('not by letters that JavaScript takes for others: the school’s provider hands over nobody’s account', async () => {
    await assert.rejects(identified(`${KELVIN}ate@campus.test`), { status: 422 })
    assert.deepEqual(await world.database.rows('select * from school_identities'), [])
    assert.ok(await identified('KATE@campus.test'))
  })

  it('by an address of other letters than A to Z only as it stands', async () => {
    await assert.rejects(identified('ZOÉ@campus.test'), { status: 422 })
    await assert.rejects(identified('Zoé@campus.test'), { status: 422 })
    await assert.rejects(identified('zoe\u0301@campus.test'), { status: 422 })
    assert.ok(await identified('zoé@campus.test'))
  })

  it('not by such a login at the sign-in', async () => {
    const tally = { handle: world.database, sealer: new Sealer(Buffer.alloc(32)), now: world.clock.now() }
    const origin = { address: '192.0.2.1', browserKey: undefined }
    const signIn = (login: string) => authenticateByPassword(tally, { login, password: PASSWORD }, origin)
    await assert.rejects(signIn(`${KELVIN}ate`), { status: 422 })
    assert.ok(await signIn(' Kate '))
  })

  it('by commands as by the sign-in', async () => {
    assert.equal((await accountOf(world.database, 'KATE')).login, 'kate')
    await assert.rejects(accountOf(world.database, `${KELVIN}ate`), { status: 404 })
  })
})
