import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { inEnglish } from '../../src/base/languages/say.ts'
import { readNdjson } from '../../src/rest/import/read-ndjson.ts'
import { readTable } from '../../src/rest/import/read-table.ts'
import type { Table } from '../../src/rest/import/table.ts'
import { arrayOf } from '../support/array-of.ts'
import { temporaryFolder } from '../support/folder.ts'
import { type Sheet, textRows, workbookOf, workbookParts } from '../support/workbooks.ts'

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

/** Cell formats: 1 is a date and time, 2 is ten digits, 3 a telephone number, 4 a share. */
const STYLES = `<styleSheet><numFmts>
  <numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="0000000000"/>
  <numFmt numFmtId="166" formatCode="00&quot; &quot;00&quot; &quot;00&quot; &quot;00&quot; &quot;00"/></numFmts>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="9"/><xf numFmtId="2"/></cellXfs></styleSheet>`

const numberRows = (name: string, values: readonly (number | string)[], style: number) =>
  textRows([[name]]) + values.map((value) => `<row><c s="${style}"><v>${value}</v></c></row>`).join('')

describe('the times of a workbook', () => {
  it('are exact for each quarter of an hour of a fortnight, and have no zone', async () => {
    const times = Array.from({ length: 1_344 }, (_, at) => Date.UTC(2026, 2, 2) + at * 900_000)
    for (const [epoch, more] of [
      [25_569, {}],
      [24_107, { date1904: 'true' }],
      [24_107, { date1904: '1' }],
      [25_569, { date1904: 'false' }],
    ] as const) {
      const rows = numberRows(
        'begin_at',
        times.map((time) => time / 86_400_000 + epoch),
        1,
      )
      const parts: Record<string, string> = { 'xl/styles.xml': STYLES }
      if ('date1904' in more)
        parts['xl/workbook.xml'] = (workbookParts([{ rows }])['xl/workbook.xml'] ?? '').replace(
          '<sheets>',
          `<workbookPr date1904="${more.date1904}"/><sheets>`,
        )
      const expected = times.map((time) => new Date(time).toISOString().replace(/(T00:00:00\.000)?Z$/, ''))
      assert.deepEqual((await tableOf(workbookOf([{ rows }], parts))).rows.flat(), expected)
    }
  })
})

describe('a workbook that people see in another way than it is stored', () => {
  const notesOf = ({ notes = [] }: Table) => notes.map(inEnglish).join('\n')
  const styled = (rows: string) => workbookOf([{ rows }], { 'xl/styles.xml': STYLES })

  it('keeps the leading zeros that a number format shows, and says so', async () => {
    const table = await tableOf(styled(numberRows('Phone', ['612345678', '6123456789'], 2)))
    assert.deepEqual(table.rows, [['0612345678'], ['6123456789']])
    assert.match(notesOf(table), /"Phone" are read with leading zeros, as the sheet shows them: 0612345678/)
  })

  it('names formats that show other digits, and no others', async () => {
    const phone = await tableOf(styled(numberRows('Phone', ['612345678'], 3)))
    assert.deepEqual(phone.rows, [['612345678']])
    assert.match(notesOf(phone), /"Phone" in the format 00" "00" "00" "00" "00\. .* such as 612345678\./)
    assert.match(notesOf(await tableOf(styled(numberRows('Share', ['0.5'], 4)))), /in the format 0%\. .* such as 0\.5/)
    for (const style of [0, 1, 5]) assert.equal(notesOf(await tableOf(styled(numberRows('Mark', ['5'], style)))), '')
  })

  it('counts errors of formulas and names the first', async () => {
    const rows = `${textRows([['name', 'town']])}<row r="2"><c r="A2" t="str"><v>Ada</v></c><c r="B2" t="e"><v>#N/A</v></c></row><row><c/><c t="e"><v>#REF!</v></c></row>`
    const table = await tableOf(workbookOf([{ rows }]))
    assert.deepEqual(table.rows, [
      ['Ada', '#N/A'],
      ['', '#REF!'],
    ])
    assert.match(notesOf(table), /2 cells have an error of a formula, such as #N\/A in B2/)
  })

  it('names the sheet that is read, and those that are not', async () => {
    const [hidden, first, other] = [sheetOf('h', { state: 'hidden' }), sheetOf('f'), sheetOf('o')]
    const notes = async (sheets: readonly Sheet[]) => notesOf(await tableOf(workbookOf(sheets)))
    assert.equal(await notes([first]), '')
    assert.equal(await notes([hidden, first]), 'The sheet "Sheet 2" is read.\nHidden sheets are not read: "Sheet 1".')
    assert.equal(await notes([first, other]), 'The sheet "Sheet 1" is read.\nOther sheets are not read: "Sheet 2".')
    assert.match(await notes([hidden]), /"Sheet 1", which is read, is hidden/)
  })

  it('is refused if two of its columns have one name', async () => {
    for (const names of [
      ['name', 'name'],
      ['name', 'name '],
    ])
      await assert.rejects(tableOf(workbookOf([{ rows: textRows([names, ['a', 'b']]) }])), /names "name" twice/)
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
