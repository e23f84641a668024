import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hidesText } from '@campus/engine/base/text/hidden-text'

const named = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`

for (const code of [
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x202a, 0x202e, 0x2060],
  ...[0x2066, 0x2069, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xe0041],
]) {
  test(`${named(code)} does not pass in a name, wherever it stands`, () => {
    const character = String.fromCodePoint(code)
    for (const text of [`Map${character}`, `${character}Map`, `M${character}ap`]) assert.equal(hidesText(text), true)
  })
}

for (const text of [
  'Cluster map',
  "L'école d'été",
  '地図',
  'Карта',
  'خريطة',
  'מפה',
  'Map ❤️',
  '👩‍🚀 crew',
  '🇫🇷 team',
  '✔️ 1️⃣',
]) {
  test(`${text} passes`, () => assert.equal(hidesText(text), false))
}

test('joiners pass where a script needs them, and nowhere else', () => {
  for (const text of ['علی\u200cرضا', 'क्\u200dष', 'ශ්\u200dරී']) assert.equal(hidesText(text), false)
  for (const text of ['app\u200dle', 'a\u200cb', 'علی\u200c', '1\u200d2']) assert.equal(hidesText(text), true)
})
