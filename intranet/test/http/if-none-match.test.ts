import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type Client, clientOf } from '@campus/test/support/client'
import { attachmentForm, fileOf, pathOf } from '@campus/test/support/uploads'

describe('whoever names the version that there is', () => {
  let world: World
  let reader: Client
  let file: string
  before(async () => {
    world = await campus()
    // Does not validate responses, since the document describes only some of these.
    reader = clientOf({ url: world.url, agent: world.agent }, world.visitor.token)
    const project = await world.build.record('projects', { name: 'Libft', slug: 'libft' })
    const element = { name: 'Fox', attachable_type: 'document', document: fileOf('A fox.', 'fox.txt') }
    const form = attachmentForm({ kind: 'document' }, element)
    file = pathOf(world, (await world.director.post(`/v2/projects/${project}/attachments`, form)).json.url)
  })
  after(() => world.close())

  const places: Readonly<Record<string, () => string>> = {
    'a list': () => '/v2/campus',
    'the index of the API': () => '/v2',
    'the OpenAPI document': () => '/v2/openapi.json',
    'the document of the reference': () => '/apidoc/openapi.json',
    'a page of the reference': () => '/apidoc/users',
    'a style sheet': () => '/apidoc/assets/reference.css',
    'a file': () => file,
  }
  for (const [name, pathTo] of Object.entries(places)) {
    it(`of ${name} is told that it is, in whatever form they do, and nobody else`, async () => {
      const read = (sent: Record<string, string> = {}) => reader.get(pathTo(), sent)
      const tag = (await read()).headers.get('etag') ?? ''
      const opaque = tag.replace(/^W\//, '')
      assert.match(opaque, /^"\w+"$/)
      for (const sent of [tag, opaque, `W/${opaque}`, `"other", ${tag}`, `${tag},"other"`, '*']) {
        const { status, text, headers } = await read({ 'if-none-match': sent })
        assert.deepEqual([status, text, headers.get('etag')], [304, '', tag], sent)
      }
      for (const sent of ['"other"', opaque.replaceAll('"', ''), `"x${opaque}`, '"*"', '"a", *', '"a,*,b"', ''])
        assert.equal((await read({ 'if-none-match': sent })).status, 200, sent)
    })
  }
})
