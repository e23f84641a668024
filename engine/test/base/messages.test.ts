import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withDictionary } from '../../base/languages/dictionary.ts'
import { inEnglish, isFilledMessage, message, say } from '../../base/languages/say.ts'

const LATIN = { code: 'la', locale: 'la', texts: { Language: 'Lingua', '{one} and {other}': '{one} et {other}' } }

describe('a dictionary', () => {
  it('translates the texts that it has, also as values of others', () => {
    const text = message('{one} and {other}', { one: message('Language'), other: 'Ada' })
    assert.equal(
      withDictionary(LATIN, () => say(text)),
      'Lingua et Ada',
    )
    assert.equal(inEnglish(text), 'Language and Ada')
  })

  it('leaves texts that it lacks in English', () => {
    assert.equal(
      withDictionary(LATIN, () => say('any token')),
      'any token',
    )
  })
})

describe('a message of another process', () => {
  for (const [what, key, values, isTaken] of [
    ['any text', 'A text of nobody', {}, true],
    ['values that are messages', '{one}', { one: { key: 'Language', values: {} } }, true],
    ['the name of a member of every object', 'constructor', {}, true],
    ['a text that ICU cannot read', 'Line {', {}, false],
    ['a text of more than 2,000 characters', 'x'.repeat(2_001), {}, false],
    ['a key that is no text', 12, {}, false],
    ['a value that is neither text, number nor message', '{one}', { one: [1] }, false],
  ] as const)
    it(`${isTaken ? 'may have' : 'must not have'} ${what}`, () => {
      const given = { key, values }
      assert.equal(isFilledMessage(given), isTaken)
      if (isFilledMessage(given) && Object.keys(values).length === 0)
        assert.equal(
          withDictionary(LATIN, () => say(given)),
          key,
        )
    })
})
