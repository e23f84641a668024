import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerText } from '../../http/context.ts'

test('a text in a header holds printable ASCII alone and is decoded to the same text', () => {
  for (const text of ['Robot of Ada', 'Café d’Ada', 'Robot 🤖', '100 %', 'a%20b', '東京', 'line\nbreak\u007f']) {
    assert.match(headerText(text), /^[\x20-\x7e]*$/)
    assert.equal(decodeURIComponent(headerText(text)), text)
  }
  assert.equal(headerText('half \ud83e'), 'half %EF%BF%BD')
})
