import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '../support/campus.ts'

describe('a campus', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  it('lists its users', async () => {
    const paris = await world.build.campus({ name: 'Paris' })
    const ada = await world.build.user({ login: 'ada' })
    await world.build.record('campus_users', { campus_id: paris, user_id: ada, is_primary: true })
    const { status, json } = await world.visitor.get(`/v2/campus/${paris}/users`)
    assert.equal(status, 200)
    assert.equal(json[0].login, 'ada')
  })
})

describe('CONTRIBUTING', () => {
  it('shows the test above', async () => {
    const source = await readFile(new URL(import.meta.url), 'utf8')
    const example = source.slice(source.indexOf("describe('a campus'"), source.indexOf("\n\ndescribe('CONTRIBUTING'"))
    const document = await readFile(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8')
    assert.ok(document.includes(`\`\`\`ts\n${example}\n\`\`\``))
  })
})
