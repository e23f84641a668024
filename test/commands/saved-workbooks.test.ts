import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readNdjson } from '../../src/rest/import/read-ndjson.ts'
import { readTable } from '../../src/rest/import/read-table.ts'
import type { Table } from '../../src/rest/import/table.ts'
import { arrayOf } from '../support/array-of.ts'
import { temporaryFolder } from '../support/folder.ts'
import { type Sheet, textRows, workbookOf } from '../support/workbooks.ts'

/** A busy machine needs longer to start the process of the reader. */
const READER_LIMITS = { seconds: 120, heapMib: 128 }

async function tableOf(bytes: Uint8Array): Promise<Table> {
  const folder = await temporaryFolder()
  try {
    const path = join(folder.path, 'table.xlsx')
    await writeFile(path, bytes)
    return JSON.parse(String((await readTable(path, 1, READER_LIMITS)).json))
  } finally {
    await folder.remove()
  }
}

const sheetOf = (text: string, more: Omit<Sheet, 'rows'> = {}): Sheet => ({
  ...more,
  rows: textRows([['name'], [text]]),
})

describe('a workbook', () => {
  it('is read from its first visible worksheet, or from its first worksheet if all are hidden', async () => {
    const hidden = sheetOf('hidden', { state: 'hidden' })
    const veryHidden = sheetOf('very hidden', { state: 'veryHidden' })
    const chart = sheetOf('chart', { kind: 'chartsheet' })
    const first = sheetOf('first')
    const second = sheetOf('second', { state: 'visible' })
    for (const [sheets, text] of [
      [[first, second], 'first'],
      [[hidden, second, first], 'second'],
      [[veryHidden, hidden, first], 'first'],
      [[chart, hidden, first], 'first'],
      [[chart, veryHidden, hidden], 'very hidden'],
    ] as const)
      assert.deepEqual((await tableOf(workbookOf(sheets))).rows, [[text]])
    await assert.rejects(tableOf(workbookOf([chart])), /not a workbook with a sheet/)
  })

  it('keeps every digit of whole numbers, and writes other numbers in their shortest form', async () => {
    const DIGITS = '9876543219876543219876543219'
    const whole = Array.from({ length: DIGITS.length }, (_, at) => DIGITS.slice(0, at + 1))
    const numbers = [...whole, ...whole.map((digits) => `-${digits}`), '1914310000010100016', '9007199254740993']
    const shortened = [
      ['7.4999999999999997E-2', '0.075'],
      ['1.1000000000000001', '1.1'],
      ['3.3612345678E10', '33612345678'],
    ] as const
    const values = [...numbers, ...shortened.map(([written]) => written)]
    const rows = textRows([['name']]) + values.map((value) => `<row><c><v>${value}</v></c></row>`).join('')
    assert.deepEqual((await tableOf(workbookOf([{ rows }]))).rows.flat(), [
      ...numbers,
      ...shortened.map(([, shown]) => shown),
    ])
  })
})

it('NDJSON keeps every digit of whole numbers, also in lists and objects', async () => {
  async function* text() {
    yield '{"a":1914310000010100016,"b":[-9007199254740993,7],"c":{"d":12345678901234567890},"e":"1234567890123456"}\n'
    yield '{"a":9007199254740991,"b":0.30000000000000000004,"c":null,"e":1E21}\n'
  }
  const rows = await arrayOf(readNdjson(text()))
  assert.deepEqual(
    rows.map(({ cells }) => cells),
    [
      {
        a: '1914310000010100016',
        b: ['-9007199254740993', 7],
        c: { d: '12345678901234567890' },
        'c.d': '12345678901234567890',
        e: '1234567890123456',
      },
      { a: 9007199254740991, b: 0.3, c: null, e: 1e21 },
    ],
  )
})
