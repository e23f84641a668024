import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findBeginnings } from '../build/check-comments.ts'

describe('the check of comments', () => {
  const beginningsIn = (...lines: readonly string[]) =>
    findBeginnings('a.ts', lines.join('\n')).map((line) => line.replace(/: A comment begins with|\. Begin with.*/g, ''))

  it('finds comments that begin without their subject, in each form of comment', () => {
    assert.deepEqual(
      beginningsIn(
        '/** Of the user. */',
        'const a = 1 // Whoever asks.',
        '/*',
        ' * By which records are found.',
        ' */',
        '/**',
        ' * As a client sends it.',
        ' */',
        '// Nobody’s.',
        'type B = {}',
        '// Nobody waits.',
      ),
      ['a.ts:1 "Of"', 'a.ts:2 "Whoever"', 'a.ts:3 "By which"', 'a.ts:6 "As"', 'a.ts:11 "Nobody"'],
    )
  })

  it('reads neighbouring lines as one comment, and no strings', () => {
    assert.deepEqual(
      beginningsIn('// Returns the users', '// of a campus.', "f('// Of a string')", '// Whole lists'),
      [],
    )
  })
})
