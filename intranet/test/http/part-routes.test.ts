import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { request } from 'undici'
import type { Part } from '../../server/part.ts'

describe('a route of an optional part', () => {
  let canLoad = false
  const shelf: Part = {
    name: 'shelf',
    routes: {
      declared: [{ method: 'GET', path: '/shelf' }],
      open: async () => ({
        async load() {
          if (!canLoad) throw new Error("EMFILE: too many open files, open '/usr/lib/shelf.js'")
          return { headers: { 'x-frame-options': 'DENY' }, answer: async (_request, reply) => reply.send('a book') }
        },
      }),
    },
  }
  let world: World
  before(async () => {
    world = await campus({ parts: [shelf] })
  })
  after(() => world.close())

  async function ask() {
    const { statusCode, headers, body } = await request(`${world.url}/shelf`, { dispatcher: world.agent })
    return { status: statusCode, text: await body.text(), frames: headers['x-frame-options'] }
  }

  it('answers an error without details while its handler cannot be loaded, and answers once it can', async () => {
    const { status, text } = await ask()
    assert.equal(status, 500)
    assert.deepEqual(Object.keys(JSON.parse(text)), ['error', 'message'])
    assert.doesNotMatch(text, /EMFILE|shelf/)

    canLoad = true
    assert.deepEqual(await ask(), { status: 200, text: 'a book', frames: 'DENY' })
  })
})
