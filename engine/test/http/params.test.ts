import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseParams } from '../../http/params.ts'

/** The parsed value with ordinary prototypes, as deepEqual wants it. */
const parse = (text: string) => JSON.parse(JSON.stringify(parseParams(text)))

describe('parameters', () => {
  it('nest by brackets, raw or encoded', () => {
    assert.deepEqual(parse('filter[a]=1&filter%5Bb%5D=2'), { filter: { a: '1', b: '2' } })
  })

  it('make a list of empty brackets', () => {
    assert.deepEqual(parse('a[]=1&a[]=2'), { a: ['1', '2'] })
  })

  it('begin a new element where a name comes again', () => {
    assert.deepEqual(parse('a[][x]=1&a[][y]=2&a[][x]=3'), { a: [{ x: '1', y: '2' }, { x: '3' }] })
  })

  it('keep a plain value beside a nested one', () => {
    assert.deepEqual(parse('page[size]=100&page=2'), { page: { size: '100', '': '2' } })
    assert.deepEqual(parse('page=2&page[size]=100'), { page: { '': '2', size: '100' } })
  })

  it('decode plus signs and percent signs once', () => {
    assert.deepEqual(parse('a=x+y%2Bz%2525'), { a: 'x y+z%25' })
  })

  it('give names of the language no meaning', () => {
    const params = parseParams('__proto__[polluted]=1&constructor=2&toString=3')
    assert.deepEqual(Object.keys(params), ['__proto__', 'constructor', 'toString'])
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })

  it('take a name with unbalanced brackets as it is', () => {
    assert.deepEqual(parse('a[b=1&c]d=2'), { 'a[b': '1', 'c]d': '2' })
  })

  for (const [what, text] of [
    ['bad percent-encoding', 'a=%zz'],
    ['a list that is not one', 'a=1&a[]=2'],
    ['deep nesting', `a${'[b]'.repeat(20)}=1`],
    ['thousands of parameters', 'a=1&'.repeat(2_001)],
  ] as const) {
    it(`refuse ${what} with 400`, () => {
      assert.throws(() => parseParams(text), { name: 'HttpError', status: 400 })
    })
  }

  it('read back what was written, whatever the texts', () => {
    const texts = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.string({ unit: 'grapheme' }), { maxKeys: 5 })
    fc.assert(
      fc.property(texts, (values) => {
        const entries = Object.entries(values)
        const text = entries.map(([name, value]) => `f[${name}]=${encodeURIComponent(value.toWellFormed())}`).join('&')
        const expected = entries.map(([name, value]) => [name, value.toWellFormed()])
        assert.deepEqual(parse(text).f ?? {}, Object.fromEntries(expected))
      }),
      { numRuns: 200 },
    )
  })
})
