import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  booleanKind,
  choiceKind,
  dateKind,
  floatKind,
  integerKind,
  textKind,
  timeKind,
  WrongValue,
  zonedDateKind,
} from '../../rest/declare/fields/kinds.ts'

const refuses = (read: () => unknown, text: RegExp) =>
  assert.throws(read, (error) => error instanceof WrongValue && text.test(error.message))

describe('integers', () => {
  it('are read from numbers and texts', () => {
    assert.deepEqual(
      [64, '64', ' -7 '].map((input) => integerKind.read(input)),
      [64, 64, -7],
    )
  })

  it('are whole and fit their column', () => {
    for (const input of ['1.5', 1.5, 'x', '', true, {}, '0x10', '1e3'])
      refuses(() => integerKind.read(input), /whole number/)
    for (const input of [2 ** 31, '9223372036854775808', -(2 ** 31)])
      refuses(() => integerKind.read(input), /must be from/)
  })
})

describe('floats', () => {
  it('are finite', () => {
    assert.equal(floatKind.read('4.25'), 4.25)
    for (const input of ['NaN', 'Infinity', Number.NaN, 'x', null]) refuses(() => floatKind.read(input), /not a number/)
  })
})

describe('booleans', () => {
  it('are read from the words that forms send', () => {
    assert.deepEqual(
      [true, 'true', '1', 'on', 'false', 0].map((input) => booleanKind.read(input)),
      [true, true, true, true, false, false],
    )
    for (const input of ['maybe', 2, {}]) refuses(() => booleanKind.read(input), /true or false/)
  })
})

describe('texts', () => {
  it('are counted in characters', () => {
    assert.equal(textKind({ max: 2 }).read('🏫🏫'), '🏫🏫')
    refuses(() => textKind({ max: 2 }).read('abc'), /maximum is 2 characters/)
  })

  it('hold no null character and no half of a character', () => {
    for (const input of ['a\0b', 'a\ud800']) refuses(() => textKind().read(input), /null character|Unicode/)
  })

  it('of a list are one of its words', () => {
    assert.equal(choiceKind(['main', 'test']).read('test'), 'test')
    refuses(() => choiceKind(['main', 'test']).read('Test'), /main, test/)
  })
})

describe('times', () => {
  it('are read from ISO 8601 and from the form with UTC', () => {
    for (const [input, expected] of [
      ['2017-11-25T13:43:10Z', '2017-11-25T13:43:10.000Z'],
      ['2017-11-25T13:43:10.123456+02:00', '2017-11-25T11:43:10.123Z'],
      ['2017-11-25T13:43:10+0200', '2017-11-25T11:43:10.000Z'],
      ['2017-11-25 13:43:10 UTC', '2017-11-25T13:43:10.000Z'],
      // A client's `+0200`, whose plus it did not encode in the query.
      ['2017-11-25 13:43:10  0200', '2017-11-25T11:43:10.000Z'],
      ['2017-11-25T13:43:10 02:00', '2017-11-25T11:43:10.000Z'],
      // PostgreSQL prints such offsets; in a query a plus arrives as a blank.
      ['2017-11-25 13:43:10+02', '2017-11-25T11:43:10.000Z'],
      ['2017-11-25 13:43:10.5-03', '2017-11-25T16:43:10.500Z'],
      ['2017-11-25 13:43:10 02', '2017-11-25T11:43:10.000Z'],
      ['20171125T134310Z', '2017-11-25T13:43:10.000Z'],
      ['20171125T134310.25+0200', '2017-11-25T11:43:10.250Z'],
      ['20171125T1343+02', '2017-11-25T11:43:00.000Z'],
      ['20171125', '2017-11-25T00:00:00.000Z'],
      ['2017-11-25T13:43', '2017-11-25T13:43:00.000Z'],
      ['2017-11-25', '2017-11-25T00:00:00.000Z'],
      // Forms that programs in other languages produce.
      ['"2017-11-25T13:43:10.000Z"', '2017-11-25T13:43:10.000Z'],
      ["'2017-11-25'", '2017-11-25T00:00:00.000Z'],
      ['2017-1-05T13:43:10Z', '2017-01-05T13:43:10.000Z'],
    ]) {
      assert.equal(timeKind.read(input), expected)
    }
  })

  it('as the end of a range that is a day stand for all of it, however it is written', () => {
    for (const day of ['2017-11-05', '2017-11-5', '"2017-11-05"', ' 2017-11-05 ', '20171105']) {
      assert.equal(timeKind.readBound?.(day, 'max'), '2017-11-05T23:59:59.999Z')
      assert.equal(timeKind.readBound?.(day, 'min'), '2017-11-05T00:00:00.000Z')
    }
  })

  it('exist', () => {
    for (const input of [
      '2017-02-30',
      '2017-13-01',
      '2017-11-25T25:00:00Z',
      '0000-01-01',
      '20170230',
      '20171125T134310+99',
    ])
      refuses(() => timeKind.read(input), /exists/)
    for (const input of [
      '2017112',
      '201711251',
      '1511617390',
      '20171125T13431',
      '2017-11-25T13:43:10+1',
      'yesterday',
      '25/11/2017',
      1511617390,
      '+02017-01-01',
    ])
      refuses(() => timeKind.read(input), /ISO 8601/)
  })

  it('are written with milliseconds', () => {
    for (const [text, expected] of [
      ['2017-11-25 13:43:10+00', '"2017-11-25T13:43:10.000Z"'],
      ['2017-11-25 13:43:10.1+00', '"2017-11-25T13:43:10.100Z"'],
      ['2017-11-25T13:43:10.123+00:00', '"2017-11-25T13:43:10.123Z"'],
    ] as const) {
      assert.equal(timeKind.write(text), expected)
    }
  })
})

describe('dates', () => {
  it('are days that exist', () => {
    for (const [input, day] of [
      ['2024-02-29', '2024-02-29'],
      ['2024-2-9', '2024-02-09'],
    ])
      assert.equal(dateKind.read(input), day)
    for (const input of ['2023-02-29', '2024-2-30', 'today']) refuses(() => dateKind.read(input), /date/)
  })

  it('are shown as the midnight of a zone, in summer and winter', () => {
    const paris = zonedDateKind('Europe/Paris')
    assert.equal(paris.write('2024-07-01'), '"2024-07-01T00:00:00.000+02:00"')
    assert.equal(paris.write('2024-01-01'), '"2024-01-01T00:00:00.000+01:00"')
    assert.equal(zonedDateKind('UTC').write('2024-07-01'), '"2024-07-01T00:00:00.000+00:00"')
  })
})
