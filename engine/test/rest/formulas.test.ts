import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { guardFormula, readGuarded } from '../../base/text/formulas.ts'

describe('a text in a table', () => {
  it('begins like no formula', () => {
    for (const text of ['=1+1', '+49 30', '-2', '@SUM(A1)', '\t=1', '\r=1', '＝1', "'=1"])
      assert.equal(guardFormula(text), `'${text}`)
    for (const text of ['', 'Ada', "O'Neill", "'tis", '1+1', ' =1']) assert.equal(guardFormula(text), text)
  })

  it('is read back as it was, whatever it is', () => {
    const marks = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', 'a', ' ', '＝') })
    fc.assert(fc.property(fc.oneof(fc.string(), marks), (text) => readGuarded(guardFormula(text)) === text))
  })
})
