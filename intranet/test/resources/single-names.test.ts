import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { signedInOf } from '@campus/test/support/people'
import { importForCommand } from '../../cli/import-command.ts'
import { createAccount } from '../../school/domain/accounts/accounts.ts'
import { createSealing } from '../../webhooks/sealing.ts'

describe('a person with a single name', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  const names = async (login: string) => {
    const { json } = await world.director.get(`/v2/users/${login}`)
    const { first_name, last_name, displayname, usual_full_name } = json
    return { first_name, last_name, displayname, usual_full_name }
  }
  const SUHARTO = { first_name: 'Suharto', last_name: '', displayname: 'Suharto', usual_full_name: 'Suharto' }
  const user = (login: string, last_name?: string | null) => ({
    ...{ login, email: `${login}@school.test`, first_name: 'Suharto', kind: 'student' },
    ...(last_name !== undefined && { last_name }),
  })

  it('is created by the API with an empty last name, which is answered', async () => {
    const { status } = await world.director.post('/v2/users', { user: user('one', '') })
    assert.equal(status, 201)
    assert.deepEqual(await names('one'), SUHARTO)
    for (const last_name of [undefined, null]) {
      const refused = await world.director.post('/v2/users', { user: user('none', last_name) })
      assert.deepEqual([refused.status, refused.json.errors], [422, { last_name: ["can't be blank"] }])
    }
  })

  it('is changed to and from one by an update', async () => {
    await world.build.user({ login: 'two', first_name: 'Suharto', last_name: 'Other' })
    assert.equal((await world.director.patch('/v2/users/two', { user: { last_name: ' ' } })).status, 204)
    assert.deepEqual(await names('two'), SUHARTO)
    assert.equal((await world.director.patch('/v2/users/two', { user: { last_name: 'Other' } })).status, 204)
    assert.equal((await names('two')).displayname, 'Suharto Other')
  })

  it('is created by a command', async () => {
    const account = { values: user('three', ''), actor: { userId: null }, now: world.clock.now() }
    await world.database.transaction((tx) => createAccount(tx, createSealing(), account))
    assert.deepEqual(await names('three'), SUHARTO)
  })

  it('is imported from a table with an empty cell', async () => {
    const file = join(world.config.data, 'people.csv')
    await writeFile(file, 'login,email,first_name,last_name,kind\nfour,four@school.test,Suharto,,student\n')
    const dependencies = { database: world.database, config: world.config, sealing: async () => createSealing() }
    const options = { hasOwnIds: false, takesGoodRows: false, isTrial: false, sendsWebhooks: false }
    await importForCommand(dependencies, { resource: 'users', file, ...options }, () => {})
    assert.deepEqual(await names('four'), SUHARTO)
  })

  it('has no stray space on pages', async () => {
    const { browser } = await signedInOf(world, { login: 'five', first_name: 'Suharto', last_name: '' })
    assert.equal((await browser.get('/')).heading, 'Welcome, Suharto')
  })
})
