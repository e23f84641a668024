import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { normalizeAddress } from '@campus/engine/base/text/mail-address'
import { normalForm } from '@campus/engine/base/text/normal-form'
import { sourceFiles } from '@campus/test/support/sources'
import { normalizePassword } from '../../access/passwords.ts'

const [ACUTE, CEDILLA] = ['\u0301', '\u0327']

describe('the normal form of a text', () => {
  it('is that of Unicode for up to 30 combining marks in a row', () => {
    const text = `e${ACUTE.repeat(15)}${CEDILLA.repeat(15)}`
    assert.notEqual(text.normalize('NFC'), text)
    assert.equal(normalForm(text, 'NFC'), text.normalize('NFC'))
  })

  it('is the text itself if it has more, since sorting them takes quadratic time', () => {
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
      const text = `\u00e9 e${ACUTE.repeat(16)}${CEDILLA.repeat(15)}`
      assert.equal(normalForm(text, form), text)
    }
  })

  it('leaves runs of any characters that decompose to marks alone', () => {
    for (let code = 1; code <= 0x10ffff; code += 1) {
      const text = String.fromCodePoint(code)
      if (!text.isWellFormed() || !/^\p{M}+$/u.test(text.normalize('NFKD'))) continue
      const marks = `e${ACUTE.repeat(15)}${CEDILLA}${text.repeat(15)}`
      assert.equal(normalForm(marks, 'NFKD'), marks, code.toString(16))
    }
  })

  it('of a password and of an address of a mebibyte of combining marks is found at once', () => {
    // Node needs minutes for one of them.
    const text = `a${ACUTE.repeat(262_144)}${CEDILLA.repeat(262_144)}`
    assert.equal(normalizePassword(text), text)
    assert.equal(normalizeAddress(text), text)
  })

  it('is made nowhere else', () => {
    const found = sourceFiles().filter((file) => /\.normalize\((?:['"`]NF|form|\))/.test(readFileSync(file, 'utf8')))
    assert.deepEqual(found, ['engine/base/text/normal-form.ts'])
  })
})
