import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { campus } from '@campus/test/support/campus'
import { surfaceChange } from '../../../build/surface.ts'
import { typesOf } from '../../../clients/typescript/scripts/types-of.ts'
import { declaredDocument } from '../../school/resources/api-document.ts'

test('the document made of the declarations alone, from which clients are made, is the one that is served', async () => {
  const world = await campus()
  const { json: document } = await world.anonymous.get('/v2/openapi.json')
  await world.close()
  assert.deepEqual(JSON.parse(JSON.stringify(declaredDocument(document.servers[0].url))), document)
})

test('the types of the API, with which pages and the client are checked, are those of the declarations', async () => {
  const isCurrent = (await readFile('clients/typescript/src/schema.ts', 'utf8')) === typesOf(declaredDocument())
  assert.ok(isCurrent, 'Run "npm run generate -- typescript".')
})

describe('a line of the surface that', () => {
  const changed = (recorded: string, declared: string, changelog = '# Changelog\n\n## 0.3.0\n\n* None.\n') =>
    surfaceChange([recorded], [declared], changelog)

  test('is new is no break', () => {
    assert.deepEqual(surfaceChange([], ['field user.id: integer'], ''), {
      added: ['field user.id: integer'],
      unexplained: [],
    })
  })

  test('disappears or changes is one', () => {
    const { unexplained } = changed('field user.id: integer', 'field user.id: string')
    assert.deepEqual(unexplained, ['field user.id: integer'])
    assert.deepEqual(surfaceChange(['operation listUsers GET /v2/users'], [], '').unexplained.length, 1)
  })

  test('gains an optional parameter is explained by the changelog that names the parameter', () => {
    const operation = (taken: string) => `operation updateUser PATCH /v2/users/{id} (${taken}): 204; needs nothing`
    for (const [before, after] of [
      ['', 'If-Match'],
      ['user_update', 'If-Match, user_update'],
      ['id', 'id, If-Match'],
    ] as const) {
      const unexplained = (parameter: string, changelog: string) =>
        surfaceChange([operation(before)], [operation(after), parameter], changelog).unexplained.length
      const explained = '# Changelog\n\n## 0.3.0\n\n* `If-Match`\n'
      assert.equal(unexplained('parameter If-Match: header If-Match string', explained), 0, after)
      assert.equal(unexplained('parameter If-Match: header If-Match string', ''), 1, after)
      assert.equal(unexplained('parameter If-Match: header If-Match required string', explained), 1, after)
    }
  })

  test('disappears is explained by the changelog of the version to come alone', () => {
    const explained = '# Changelog\n\n## 0.3.0\n\n* **Changed:** `user.id` is a text.\n\n## 0.2.0\n\n* First.\n'
    assert.deepEqual(changed('field user.id: integer', 'field user.id: string', explained).unexplained, [])
    const former = '# Changelog\n\n## 0.3.0\n\n* None.\n\n## 0.2.0\n\n* `user.id`\n'
    assert.equal(changed('field user.id: integer', 'field user.id: string', former).unexplained.length, 1)
  })
})
