import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { inEnglish } from '../../base/languages/say.ts'
import { excessOfJson } from '../../http/body-limits.ts'

const excessOf = (text: string) => {
  const excess = excessOfJson(Buffer.from(text))
  return excess && inEnglish(excess)
}
const list = (count: number, text: string) => `[${Array.from({ length: count }, () => text).join(',')}]`
const object = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":1`).join(',')}}`

describe('JSON is measured before a value is made of it:', () => {
  for (const [what, text, excess] of [
    ['64 levels', '['.repeat(64) + ']'.repeat(64), undefined],
    ['65 levels', '['.repeat(65) + ']'.repeat(65), /64 levels/],
    ['half a million levels that never end', '['.repeat(524_000), /64 levels/],
    ['2000 members', object(2_000), undefined],
    ['2001 members', object(2_001), /at most 2000/],
    ['the same name 2001 times', `{${Array.from({ length: 2_001 }, () => '"a":1').join(',')}}`, /at most 2000/],
    ['several objects with 2000 members', list(9, object(2_000)), undefined],
    ['20000 values', list(19_999, '1'), undefined],
    ['20001 values', list(20_000, '1'), /20000 values/],
    ['20000 values, each of them empty', list(19_999, '[ ]'), undefined],
    ['20001 values of all sorts', list(6_667, '["[{:,", {}]'), /20000 values/],
    ['brackets, commas and colons within a text', JSON.stringify({ 'a"\\': '[{",:\\'.repeat(30_000) }), undefined],
    ['a text that never ends', `["${'['.repeat(1_000)}`, undefined],
    ['what is no JSON', ']}:,'.repeat(1_000), undefined],
  ] as const) {
    it(what, () => {
      const found = excessOf(text)
      if (excess === undefined) assert.equal(found, undefined)
      else assert.match(String(found), excess)
    })
  }

  it('as many values are counted as there are, however they are written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, ' ', '\n\t'), (value, space) => {
        const count = valuesIn(value)
        const padded = (values: number) => `[${JSON.stringify(value, null, space)}${',1'.repeat(values - 1 - count)}]`
        assert.equal(excessOf(padded(20_000)), undefined)
        assert.match(String(excessOf(padded(20_001))), /20000 values/)
      }),
      { numRuns: 50 },
    )
  })
})

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return 1 + Object.values(value).reduce((sum: number, member) => sum + valuesIn(member), 0)
}
