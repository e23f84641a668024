import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIL_ADDRESS, normalizeAddress } from '../../base/text/mail-address.ts'

test('no character outside ASCII becomes one of ASCII in an address, which would be that of somebody else', () => {
  const taken: string[] = []
  for (let code = 0x80; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    if (character.isWellFormed() && /[\0-\x7f]/.test(normalizeAddress(character))) taken.push(code.toString(16))
  }
  assert.deepEqual(taken, [])
})

test('an address with U+1FEF, which NFC replaces by a backquote, is refused', () => {
  assert.match('a`b@example.org', MAIL_ADDRESS)
  assert.doesNotMatch(normalizeAddress('a\u1fefb@example.org'), MAIL_ADDRESS)
})
