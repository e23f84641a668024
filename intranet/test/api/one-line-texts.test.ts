/** Names, titles and other single-line texts hold no line breaks or control characters, in any resource. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { textKind, WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { readColumns } from '@campus/engine/rest/declare/fields/read-columns'
import { campus, type World } from '@campus/test/support/campus'
import { declaredRegistry } from '../../school/resources/declared.ts'

const HOSTILE = ['a\nb', 'a\r\nb', 'a\u2028b', 'a\u2029b', 'a\u0085b', 'a\tb', 'a\u001bb', 'a\n']
/** Texts of several lines although their length is bounded, by resource and field. */
const SEVERAL_LINES = ['scores.reason']

describe('a text of one line', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  it('is every text with a maximum length that may be written, unless the field is listed', () => {
    const lenient: string[] = []
    for (const { name, fields } of declaredRegistry().resources) {
      for (const [field, { stored }] of Object.entries(fields)) {
        const schema = stored?.kind.schema
        if (!stored || schema?.type !== 'string' || schema.maxLength === undefined || stored.storing) continue
        try {
          stored.kind.read('a\nb')
          lenient.push(`${name}.${field}`)
        } catch (error) {
          assert.ok(error instanceof WrongValue, `${name}.${field}`)
        }
      }
    }
    assert.deepEqual(lenient, SEVERAL_LINES)
  })

  it('is refused by 422 that names the field, in each form of a line break or control character', async () => {
    for (const name of HOSTILE) {
      const made = await world.director.post('/v2/groups', { group: { name } })
      assert.equal(made.status, 422, JSON.stringify(name))
      assert.deepEqual(made.json.errors, { name: ['must be a single line without control characters'] })
    }
  })

  it('may have letters of any script and emoji', async () => {
    for (const name of ['Économie – «é»', '你好', 'سلام\u200cها', '👩‍💻 Workshop'])
      assert.equal((await world.director.post('/v2/groups', { group: { name } })).status, 201, name)
  })

  it('is mirrored with spaces instead, and still found by a filter', async () => {
    const field = { stored: { kind: textKind({ isOneLine: true }), nullable: false } }
    assert.deepEqual(readColumns('name', field as never, 'a\r\nb\u2028c', {}), { name: 'a b c' })
    await world.database.rows("insert into groups (name, created_at, updated_at) values (E'a\\nb', now(), now())")
    const found = await world.director.get('/v2/groups?filter[name]=a%0Ab')
    assert.equal(found.json.length, 1)
  })

  it('may have several lines if it has no maximum length', async () => {
    const { id, kind } = { id: await world.build.user(), kind: 'other' }
    const made = await world.director.post('/v2/closes', { close: { user_id: id, kind, reason: 'One.\nTwo.' } })
    assert.equal(made.status, 201, made.text)
  })
})
