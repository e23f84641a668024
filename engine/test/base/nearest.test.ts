import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sourceFiles } from '@campus/test/support/sources'
import fc from 'fast-check'
import { inEnglish, verbatim } from '../../base/languages/say.ts'
import { editsBetween, nearest, suggesting } from '../../base/text/nearest.ts'

const NAMES = ['id', 'login', 'email', 'created_at', 'updated_at', 'pool_year', 'kind']

test('one slip in a short name and up to three in a long one are seen through', () => {
  for (const [name, expected] of [
    ['logn', 'login'],
    ['lgoin', 'login'],
    ['Login', 'login'],
    ['loginn', 'login'],
    ['creatd_at', 'created_at'],
    ['create_dat', 'created_at'],
    ['kid', 'id'],
    ['poolyear', 'pool_year'],
  ] as const) {
    assert.equal(nearest(name, NAMES), expected, name)
  }
})

test('what is far from every name suggests nothing', () => {
  for (const name of ['', 'x', 'shoe_size', 'user', 'a'.repeat(5_000)])
    assert.equal(nearest(name, NAMES), undefined, name)
  const refused = verbatim('No.')
  assert.equal(suggesting(refused, 'shoe_size', NAMES), refused)
  assert.equal(inEnglish(suggesting(refused, 'logn', NAMES)), 'No. Did you mean "login"?')
  assert.equal(inEnglish(suggesting(verbatim('No'), 'logn', NAMES)), 'No. Did you mean "login"?')
})

test('the nearest of several is chosen', () => {
  assert.equal(nearest('updated_a', ['created_at', 'updated_at', 'updated_by']), 'updated_at')
})

test('edits are counted the same both ways, and never more than the longer text has letters', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
      const edits = editsBetween(one, other)
      assert.equal(edits, editsBetween(other, one))
      assert.ok(edits >= Math.abs(one.length - other.length) && edits <= Math.max(one.length, other.length))
      assert.equal(edits === 0, one === other)
    }),
  )
})

test('inserting, removing, replacing and swapping letters are one edit each', () => {
  for (const [one, other, edits] of [
    ['login', 'logins', 1],
    ['login', 'lgin', 1],
    ['login', 'lagin', 1],
    ['login', 'lgoin', 1],
    ['login', '', 5],
    ['kitten', 'sitting', 3],
  ] as const) {
    assert.equal(editsBetween(one, other), edits, `${one} ${other}`)
  }
})

test('every message quotes the name it suggests, so that the punctuation of the message is not taken for part of the name', () => {
  const files = [...sourceFiles(), ...globSync('packages/languages/*.json')]
  const suggestions = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(did you mean|vouliez-vous dire) (.{0,3})/gi)].map(([text, , name]) => ({
      file,
      text,
      isQuoted: /^(\\*"|«\s)/.test(name ?? ''),
    })),
  )
  assert.ok(suggestions.length >= 12)
  assert.deepEqual(
    suggestions.filter(({ isQuoted }) => !isQuoted),
    [],
  )
})
