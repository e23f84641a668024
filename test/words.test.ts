import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { findWords } from '../build/check-words.ts'
import { EXCEPTIONS } from '../build/word-list.ts'

const found = (path: string, text: string) => findWords(path, text).map((line) => line.replace(/; say: .*/, ''))

describe('the word list', () => {
  it('finds a word in the name of a file, in identifiers and in comments, by line', () => {
    const text = [
      'const keptCounts = 1',
      '',
      '/**',
      ' * Whoever asks waits.',
      ' */',
      'type A = { isTold: true } // a deed',
    ]
    assert.deepEqual(found('src/kept-rows.ts', text.join('\n')), [
      'src/kept-rows.ts:1: "kept" in a name (kept rows)',
      'src/kept-rows.ts:1: "kept" in a name (kept counts)',
      'src/kept-rows.ts:1: "kept counts" in a name (kept counts)',
      'src/kept-rows.ts:4: "Whoever" in a comment',
      'src/kept-rows.ts:6: "told" in a name (is told)',
      'src/kept-rows.ts:6: "deed" in a comment',
    ])
  })

  it('says what to say instead', () => {
    assert.deepEqual(findWords('src/a.ts', '// lazily'), ['src/a.ts:1: "lazily" in a comment; say: once, on first use'])
  })

  it('finds a word in a document, but not in its code', () => {
    assert.deepEqual(found('docs/a.md', 'Its deed.\n```sh\nlazily\n```\nand `lazily`\n'), [
      'docs/a.md:1: "deed" in a document',
    ])
  })

  it('reads no texts of a program: strings, templates and regular expressions', () => {
    const text = [
      'f("deed", \'// deed\')',
      'f(`deed // €{ /deed\\/\\// } deed`)',
      'f(`€{`€{{}}`} /* deed`)',
      '1 / 2 // deed',
    ]
    assert.deepEqual(found('src/a.ts', text.join('\n').replaceAll('€', '$')), ['src/a.ts:4: "deed" in a comment'])
  })

  it('finds whole words, with plain uses of them left alone', () => {
    assert.deepEqual(found('src/a.ts', 'f(atMost, airplane, keepAlive, tries) // it is kept, and tries again'), [])
  })

  for (const exception of EXCEPTIONS) {
    it(`has an exception for "${exception.word}" in ${exception.path}, which is needed`, () => {
      const files = globSync(`${exception.path}${exception.path.endsWith('/') ? '**/*.ts' : ''}`)
      const others = EXCEPTIONS.filter((one) => one !== exception)
      assert.ok(files.some((path) => findWords(path, readFileSync(path, 'utf8'), others).length > 0))
    })
  }
})
