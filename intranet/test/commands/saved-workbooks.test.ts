import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { inEnglish } from '@campus/engine/base/languages/say'
import { readNdjson } from '@campus/engine/rest/import/read-ndjson'
import { readTable } from '@campus/engine/rest/import/read-table'
import type { Table } from '@campus/engine/rest/import/table'
import { arrayOf } from '@campus/test/support/array-of'
import { temporaryFolder } from '@campus/test/support/folder'
import { FIRST_SHEET, type Sheet, textRows, workbookOf, workbookParts } from '@campus/test/support/workbooks'
import { strToU8, zipSync } from 'fflate'

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

  it('finds its parts by names with backslashes, a slash at the beginning or other capitals', async () => {
    const parts = Object.entries(workbookParts([sheetOf('first')]))
    for (const rename of [
      (path: string) => path.replaceAll('/', '\\'),
      (path: string) => `/${path}`,
      (path: string) => path.toUpperCase(),
      (path: string) => path.replace('xl/worksheets', 'XL/Worksheets'),
    ]) {
      const bytes = zipSync(Object.fromEntries(parts.map(([path, xml]) => [rename(path), strToU8(xml)])))
      assert.deepEqual((await tableOf(bytes)).rows, [['first']], rename('xl/a.xml'))
    }
  })

  it('has booleans in every form of XML, and keeps other values of such cells as texts', async () => {
    const values = ['1', 'true', '\n 1 \n', '0', 'false', ' 0', 'TRUE', 'banana', '2']
    const rows = textRows([['name']]) + values.map((value) => `<row><c t="b"><v>${value}</v></c></row>`).join('')
    assert.deepEqual((await tableOf(workbookOf([{ rows }]))).rows.flat(), [
      ...['true', 'true', 'true', 'false', 'false', 'false'],
      ...['true', 'banana', '2'],
    ])
  })

  it('decodes escaped characters in results of formulas as in other texts', async () => {
    const cells = ['<c t="str"><v>a_x0009_b_x005F_x0009_</v></c>', '<c t="inlineStr"><is><t>a_x0009_b</t></is></c>']
    const rows = textRows([['name']]) + cells.map((cell) => `<row>${cell}</row>`).join('')
    assert.deepEqual((await tableOf(workbookOf([{ rows }]))).rows.flat(), ['a\tb_x0009_', 'a\tb'])
  })
})

/** Cell formats: 1 is a date and time, 2 is ten digits, 3 a telephone number, 4 a share, 6 and 7 a time, 8 and 9 a duration. */
const STYLES = `<styleSheet><numFmts>
  <numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="0000000000"/>
  <numFmt numFmtId="166" formatCode="00&quot; &quot;00&quot; &quot;00&quot; &quot;00&quot; &quot;00"/>
  <numFmt numFmtId="167" formatCode="h:mm AM/PM"/><numFmt numFmtId="168" formatCode="[h]:mm"/></numFmts>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="9"/><xf numFmtId="2"/>
  <xf numFmtId="20"/><xf numFmtId="167"/><xf numFmtId="46"/><xf numFmtId="168"/></cellXfs></styleSheet>`

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

  it('are days of 1900 as the sheet shows them, of which the 29th of February is none', async () => {
    const serials = [0, 0.5, 1, 31.75, 59, 60, 60.5, 61, -1]
    assert.deepEqual(await textsOf(serials, 1), [
      ...['0', '12:00:00', '1900-01-01', '1900-01-31T18:00:00.000', '1900-02-28'],
      ...['60', '60.5', '1900-03-01', '-1'],
    ])
    assert.deepEqual(await textsOf([0, 0.5, 59, -1], 1, true), [
      ...['1904-01-01', '1904-01-01T12:00:00.000', '1904-02-29', '-1'],
    ])
  })

  it('have no day if the sheet shows none', async () => {
    for (const style of [6, 7])
      for (const is1904 of [false, true])
        assert.deepEqual(await textsOf([0, 10 / 24, 0.999_988_425_925_926, 1 / 86_400_000], style, is1904), [
          ...['00:00:00', '10:00:00', '23:59:59', '00:00:00.001'],
        ])
    assert.deepEqual(await textsOf([45_000.5], 6), ['2023-03-15T12:00:00.000'])
  })

  it('are durations if the sheet counts hours beyond a day', async () => {
    for (const style of [8, 9])
      for (const is1904 of [false, true])
        assert.deepEqual(await textsOf([0, 0.5, 1.5, 100.25], style, is1904), [
          ...['0:00:00', '12:00:00', '36:00:00', '2406:00:00'],
        ])
    assert.deepEqual(await textsOf([-0.5], 8), ['-0.5'])
  })
})

/** Reads numbers with a cell format. */
async function textsOf(values: readonly number[], style: number, is1904 = false): Promise<readonly string[]> {
  const rows = numberRows('time', values, style)
  const workbook = workbookParts([{ rows }])['xl/workbook.xml'] ?? ''
  const dated = workbook.replace('<sheets>', `<workbookPr date1904="${is1904}"/><sheets>`)
  return (await tableOf(workbookOf([{ rows }], { 'xl/styles.xml': STYLES, 'xl/workbook.xml': dated }))).rows.flat()
}

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

  it('counts hidden rows and names the first', async () => {
    const rows = `${textRows([['name']])}<row r="2"><c t="str"><v>Ada</v></c></row>
      <row r="3" hidden="1"><c t="str"><v>Bob</v></c></row><row hidden="true"><c t="str"><v>Eve</v></c></row>
      <row hidden="1"><c/></row><row hidden="0"><c t="str"><v>Kim</v></c></row>`
    const table = await tableOf(workbookOf([{ rows }]))
    assert.deepEqual(table.rows.flat(), ['Ada', 'Bob', 'Eve', 'Kim'])
    assert.equal(notesOf(table), '2 rows that are hidden or filtered out in the sheet are read too, such as row 3.')
  })

  it('counts merged cells below its headings and names the first', async () => {
    const rows = `${textRows([
      ['name', 'town'],
      ['Ada', 'Lyon'],
    ])}<row r="3"><c r="A3" t="str"><v>Bob</v></c></row>`
    const read = async (ranges: readonly string[], after = '') => {
      const merges = `<mergeCells>${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
      const parts = workbookParts([{ rows }])
      const xml = (parts[FIRST_SHEET] ?? '').replace('</sheetData>', `</sheetData><sheetProtection/>${after}${merges}`)
      return tableOf(workbookOf([{ rows }], { [FIRST_SHEET]: xml }))
    }
    const table = await read(['D1:E9', 'B2:B3', 'A4:B5', 'A1:B1'])
    assert.deepEqual(table.rows, [
      ['Ada', 'Lyon'],
      ['Bob', ''],
    ])
    assert.equal(
      notesOf(table),
      '2 ranges of merged cells have a value in their first cell alone, such as B2:B3. The other cells are empty.',
    )
    for (const ranges of [[], ['A1:B1', 'C2:C3'], ['nonsense']]) assert.equal(notesOf(await read(ranges)), '')
    assert.equal(notesOf(await read(['B2:B3'], '<pageMargins/>')), '')
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
