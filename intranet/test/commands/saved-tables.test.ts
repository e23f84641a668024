import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { inEnglish } from '@campus/engine/base/languages/say'
import { fileText } from '@campus/engine/rest/import/file-text'
import { readCsv } from '@campus/engine/rest/import/read-csv'
import { readTable } from '@campus/engine/rest/import/read-table'
import type { Row } from '@campus/engine/rest/import/row'
import type { Table, TextFormat } from '@campus/engine/rest/import/table'
import { arrayOf } from '@campus/test/support/array-of'
import { temporaryFolder } from '@campus/test/support/folder'

const BOM = '\u{feff}'
/** A busy machine needs longer to start the process of the reader. */
const READER_LIMITS = { seconds: 120, heapMib: 128 }
const LINE_ENDS = ['\n', '\r\n', '\r']

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

async function fileOf(bytes: Uint8Array | string): Promise<string> {
  const path = join(folder.path, 'table')
  await writeFile(path, bytes)
  return path
}

type CsvOptions = { readonly encoding?: string; readonly delimiter?: string }

/** Reads a file as `campus import` does. */
async function rowsOf(bytes: Uint8Array | string, { encoding = 'utf-8', delimiter }: CsvOptions = {}): Promise<Row[]> {
  const text = fileText(await fileOf(bytes), encoding, () => {})
  return arrayOf(readCsv(text, { delimiter }))
}

async function cellsOf(bytes: Uint8Array | string, options?: CsvOptions) {
  return (await rowsOf(bytes, options)).map(({ cells }) => cells)
}

/** Reads a file as the import page does. */
async function tableOf(bytes: Uint8Array | string, format?: TextFormat): Promise<Table> {
  return JSON.parse(String((await readTable(await fileOf(bytes), 1, READER_LIMITS, format)).json))
}

async function cellsOnPage(bytes: Uint8Array | string, format?: TextFormat) {
  const { columns, rows } = await tableOf(bytes, format)
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
}

describe('a file with a byte order mark', () => {
  const TEXT = 'name;town\nZo\u00eb;Orl\u00e9ans\n'
  const FILES = [Buffer.from(BOM + TEXT), utf16(BOM + TEXT, 'le'), utf16(BOM + TEXT, 'be')]

  it('is read in the encoding of the mark, even if the command is given another encoding', async () => {
    const expected = [{ name: 'Zo\u00eb', town: 'Orl\u00e9ans' }]
    for (const bytes of FILES) {
      for (const encoding of ['utf-8', 'windows-1252', 'utf-16le'])
        assert.deepEqual(await cellsOf(bytes, { encoding }), expected, encoding)
      assert.deepEqual(await cellsOnPage(bytes), expected)
    }
  })

  it('is refused with the line of the first byte that is invalid in the encoding of the mark', async () => {
    const lines = (count: number, end: string) =>
      Array.from({ length: count }, (_, at) => `n${at};\u00e9${end}`).join('')
    const halfLetter = Buffer.from([0x00, 0xd8, 0x61, 0x00])
    const faulty = (count: number, end: string): readonly Buffer[] => [
      Buffer.concat([Buffer.from(BOM + lines(count, end)), Buffer.from([0xc9, 0x74]), Buffer.from(`${end}a;b${end}`)]),
      // The end of the line or of the file cuts the letter off.
      Buffer.concat([Buffer.from(BOM + lines(count, end)), Buffer.from([0x61, 0xc9]), Buffer.from(`${end}a;b${end}`)]),
      Buffer.concat([Buffer.from(BOM + lines(count, end)), Buffer.from([0x61, 0xc9])]),
      Buffer.concat([utf16(BOM + lines(count, end), 'le'), halfLetter, utf16(`${end}a;b`, 'le')]),
      Buffer.concat([utf16(BOM + lines(count, end), 'be'), Buffer.from(halfLetter).swap16()]),
    ]
    // 30,000 lines fill several chunks.
    for (const count of [0, 3, 30_000])
      for (const end of LINE_ENDS)
        for (const bytes of faulty(count, end)) {
          const why = new RegExp(`byte order mark of (utf-8|utf-16[lb]e), but line ${count + 1} is not`)
          await assert.rejects(rowsOf(bytes, { encoding: 'windows-1252' }), why)
          // The page starts a process for each file, so tests only one case of each encoding.
          if (end === '\n' && count === 3) await assert.rejects(tableOf(bytes), why)
        }
  })
})

it('a file without a byte order mark is refused by the command with the line that is not UTF-8', async () => {
  const bytes = Buffer.from(`name\n${'Ada\n'.repeat(40_000)}Zo\u00eb\n`, 'latin1')
  await assert.rejects(rowsOf(bytes), /Line 40002 is not utf-8\. .*--encoding windows-1252/)
  const few = Buffer.from('name\nAda\nZo\u00eb\n', 'latin1')
  assert.deepEqual(await cellsOnPage(few), [{ name: 'Ada' }, { name: 'Zo\u00eb' }])
})

describe('a text file whose encoding is not marked', () => {
  const notesOf = async (bytes: Uint8Array, format?: TextFormat) =>
    ((await tableOf(bytes, format)).notes ?? []).map(inEnglish)

  it('is not read as Windows-1252 if one byte of UTF-8 is damaged', async () => {
    const bytes = Buffer.concat([Buffer.from('name\nZo\u00eb\nRen'), Buffer.from([0xc3]), Buffer.from('\n')])
    await assert.rejects(tableOf(bytes), /Line 3 is not UTF-8\. Correct the line, or choose the encoding/)
    await assert.rejects(tableOf(bytes, { encoding: 'utf-8' }), /Line 3 is not UTF-8/)
    await assert.rejects(rowsOf(bytes), /Line 3 is not utf-8\..*--encoding windows-1252, mac-roman or utf-16/)
    assert.deepEqual((await cellsOnPage(bytes, { encoding: 'windows-1252' })).at(0), { name: 'Zo\u00c3\u00ab' })
  })

  it('is read in the encoding that was chosen, and says so if one was guessed', async () => {
    const text = 'name\nZo\u00eb\n'
    const files: readonly (readonly [encoding: string, bytes: Buffer])[] = [
      ['utf-8', Buffer.from(text)],
      ['windows-1252', Buffer.from(text, 'latin1')],
      ['mac-roman', Buffer.from(text.replace('\u00eb', '\x91'), 'latin1')],
      ['utf-16', utf16(text, 'le')],
      ['utf-16', utf16(text, 'be')],
      ['utf-16le', utf16(text, 'le')],
    ]
    for (const [encoding, bytes] of files) {
      assert.deepEqual(await cellsOf(bytes, { encoding }), [{ name: 'Zo\u00eb' }], encoding)
      assert.deepEqual(await cellsOnPage(bytes, { encoding }), [{ name: 'Zo\u00eb' }], encoding)
      assert.deepEqual(await notesOf(bytes, { encoding }), [], encoding)
    }
    assert.match((await notesOf(Buffer.from(text, 'latin1'))).join(), /was read as Windows-1252/)
    assert.deepEqual(await notesOf(Buffer.from(text)), [])
    await assert.rejects(rowsOf(text, { encoding: 'nonsense' }), /no encoding nonsense/)
  })
})

describe('a table of CSV', () => {
  it('may have empty headings at its end, short rows, and rows with empty cells too many', async () => {
    const text = 'name;town;;\nAda;Lyon;;\nBob\n;;;;\nEve;Nice;;;;;\nKim;;;\n'
    const expected = [
      { name: 'Ada', town: 'Lyon' },
      { name: 'Bob', town: '' },
      { name: 'Eve', town: 'Nice' },
      { name: 'Kim', town: '' },
    ]
    assert.deepEqual(await cellsOf(text), expected)
    assert.deepEqual(await cellsOnPage(text), expected)
    assert.deepEqual(
      (await rowsOf(text)).map(({ line, isShort = false, fault }) => [line, isShort, fault]),
      [
        [2, false, undefined],
        [3, true, undefined],
        [5, false, undefined],
        [6, false, undefined],
      ],
    )
    const { notes = [] } = await tableOf(text)
    assert.deepEqual(notes.map(inEnglish), ['1 row has fewer cells than the first line. Their last cells are empty.'])
    for (const read of [rowsOf, tableOf]) {
      await assert.rejects(read('name;town;;\nAda;Lyon;;x\n'), /Column 4 has no name in the first line/)
      await assert.rejects(read('name;;town\nAda;Lyon;x\n'), /Column 2 has no name in the first line/)
      await assert.rejects(read(`name${';'.repeat(2_000)}\nAda\n`), /more than 2000 columns/)
    }
    const wide = `name;town\nAda${';'.repeat(2_000)}\n`
    assert.deepEqual(
      (await rowsOf(wide)).map(({ fault }) => fault && inEnglish(fault)),
      ['has 2001 cells where the first line names 2 columns'],
    )
    await assert.rejects(tableOf(wide), /Line 2 has 2001 cells/)
  })

  it('has no invisible characters around its headings, however many byte order marks begin it', async () => {
    const expected = [{ name: 'Ada', 'home town': 'Lyon' }]
    for (const text of [
      `${BOM}${BOM}"name";"home town"\nAda;Lyon\n`,
      `${BOM}${BOM}${BOM}name;home town\nAda;Lyon\n`,
      '\u200bname\u00a0;\u200e home town\u200b\u2060\nAda;Lyon\n',
      'name;home\u00a0town\nAda;Lyon\n',
    ]) {
      assert.deepEqual(await cellsOf(text), expected, JSON.stringify(text))
      assert.deepEqual(await cellsOnPage(text), expected, JSON.stringify(text))
    }
    assert.deepEqual(await cellsOf(utf16(`${BOM}${BOM}"name";home town\nAda;Lyon\n`, 'le')), expected)
    await assert.rejects(rowsOf('name;\u200b;town\nAda;x;Lyon\n'), /Column 2 has no name/)
    await assert.rejects(rowsOf('name;name\u200b\nAda;Lyon\n'), /names "name" twice/)
    const spaces = ' '.repeat(500_000)
    for (const read of [rowsOf, tableOf])
      await assert.rejects(read(`name;a${spaces}b\nAda;Lyon\n`), /The name of column 2 is longer/)
    assert.deepEqual(await cellsOf(`name;${spaces}town${spaces}\nAda;Lyon\n`), [{ name: 'Ada', town: 'Lyon' }])
  })

  it('ends before a last character SUB, which MS-DOS writes at the end of a file, in any encoding', async () => {
    for (const end of ['\x1a', '\n\x1a', '\r\n\x1a']) {
      const text = `name;town\nAda;Lyon${end}`
      const expected = [{ name: 'Ada', town: 'Lyon' }]
      assert.deepEqual(await cellsOf(text), expected)
      assert.deepEqual(await cellsOnPage(text), expected)
      assert.deepEqual(await cellsOf(utf16(text, 'le'), { encoding: 'utf-16' }), expected)
      for (const encoding of ['windows-1252', 'macintosh'])
        assert.deepEqual(await cellsOf(text, { encoding }), expected)
    }
    const long = 'x'.repeat(65_536 - 'name\n'.length - 1)
    assert.deepEqual(await cellsOf(`name\n${long}\x1ay\n\x1a`), [{ name: `${long}\x1ay` }])
    await assert.rejects(rowsOf('name\nA\x1ab\n', { encoding: 'windows-1252' }), /not text/)
  })

  it('is split at the delimiter that was chosen on the page, whatever its headings contain', async () => {
    const text = 'a,b,c;d\n1;2\n'
    assert.deepEqual(await cellsOnPage(text, { delimiter: ';' }), [{ 'a,b,c': '1', d: '2' }])
    assert.deepEqual(await cellsOnPage('"First\nname";Town\nAda;Lyon\n'), [{ 'First\nname': 'Ada', Town: 'Lyon' }])
  })

  it('is split at the delimiter of its rows if a heading contains another one', async () => {
    const files: readonly (readonly [text: string, expected: object])[] = [
      ['Name, first;Town\nAda;Lyon\n', { 'Name, first': 'Ada', Town: 'Lyon' }],
      ['"Name, first";Town\r\nAda;Lyon\r\n', { 'Name, first': 'Ada', Town: 'Lyon' }],
      ['a,b,c;d\n\n1;2', { 'a,b,c': '1', d: '2' }],
      ['a;b,c;d,e;f\n1,5;2,5;3,5;4,5\n', { a: '1,5', 'b,c': '2,5', 'd,e': '3,5', f: '4,5' }],
      [
        '"First, second\r\nname";Town\r\n"Ada, Eve\r\nKim";Lyon\r\n',
        { 'First, second\r\nname': 'Ada, Eve\r\nKim', Town: 'Lyon' },
      ],
      ['a;b|c,d\n1;2|3,4\n', { 'a;b|c': '1;2|3', d: '4' }],
      ['a,b,c\n1\n', { a: '1', b: '', c: '' }],
      ['a,b;c,d\n1,2,3\n', { a: '1', 'b;c': '2', d: '3' }],
    ]
    for (const [text, expected] of files) {
      assert.deepEqual(await cellsOf(text), [expected], JSON.stringify(text))
      assert.deepEqual(await cellsOnPage(text), [expected], JSON.stringify(text))
    }
  })

  it('skips rows whose cells are all empty, above and below the headings', async () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      const blank = ['', delimiter, delimiter.repeat(3), `""${delimiter}""`].map((line) => `${line}\n`).join('')
      const text = `${blank}name;town\n${blank}Ada;\n${blank};Lyon\n${blank}`.replaceAll(';', delimiter)
      const expected = [
        { name: 'Ada', town: '' },
        { name: '', town: 'Lyon' },
      ]
      assert.deepEqual(await cellsOf(text), expected, JSON.stringify(delimiter))
      if (delimiter === ';') assert.deepEqual(await cellsOnPage(text), expected)
      const faults = await rowsOf(text)
      assert.deepEqual(
        faults.map(({ line, fault }) => [line, fault]),
        [
          [10, undefined],
          [15, undefined],
        ],
      )
    }
  })

  it('is split at the delimiter of its headings, whatever quoted headings contain', async () => {
    for (const delimiter of [',', ';', '\t', '|'])
      for (const end of LINE_ENDS)
        for (const quoted of [`a,b;c|d\te,f;g|h${end}(,,;;||)`, `${end},;|`, `a ""b,;|""${end}c`])
          for (const at of [0, 1, 2]) {
            const names = ['one', 'two']
            names.splice(at, 0, quoted.replaceAll('""', '"').trim())
            const headings = ['one', 'two']
            headings.splice(at, 0, `"${quoted}"`)
            const text = [headings, ['1', '2', '3']].map((cells) => cells.join(delimiter) + end).join('')
            const expected = [{ [names[0] ?? '']: '1', [names[1] ?? '']: '2', [names[2] ?? '']: '3' }]
            assert.deepEqual(await cellsOf(text), expected, JSON.stringify(text))
          }
    const [table] = await cellsOnPage('"Nom, court, usuel\n(officiel)";name\nx;A\n')
    assert.deepEqual(table, { 'Nom, court, usuel\n(officiel)': 'x', name: 'A' })
  })

  it('is split at the delimiter that a first line `sep=` declares, and does not read that line as a row', async () => {
    for (const delimiter of [',', ';', '\t', '|', ':', '^'])
      for (const end of LINE_ENDS)
        for (const line of [`sep=${delimiter}`, `SEP=${delimiter}`, `"sep=${delimiter}"`, `${BOM}sep=${delimiter}`]) {
          const text = [line, `name${delimiter}"a,b,c;d;e|f"`, `Ada${delimiter}x`, ''].join(end)
          assert.deepEqual(await cellsOf(text), [{ name: 'Ada', 'a,b,c;d;e|f': 'x' }], JSON.stringify(text))
        }
    assert.deepEqual(await cellsOnPage('sep=;\r\nname;id,x\r\nA;1\r\n'), [{ name: 'A', 'id,x': '1' }])
    assert.deepEqual(await cellsOf('sep=;\nname,id\nA,1\n', { delimiter: ',' }), [{ name: 'A', id: '1' }])
    assert.deepEqual(await cellsOf('sep=ab;name\nx;y\n'), [{ 'sep=ab': 'x', name: 'y' }])
    for (const text of ['sep=;', 'sep=;\r\n', 'sep=;\n\n;;\n']) await assert.rejects(rowsOf(text), /The file is empty/)
  })

  it('reports each fault at the line where its row begins', async () => {
    const FAULTS: readonly (readonly [row: string, why: RegExp])[] = [
      ['x;y;z', /has 3 cells/],
      ['A "b";x', /quote in the middle/],
      ['"A";"b', /never closed/],
      [`A;${'x'.repeat(1_100_000)}`, /longer than/],
    ]
    for (const end of LINE_ENDS)
      for (const declaration of [[], ['sep=;']])
        for (const [row, why] of FAULTS) {
          const above = [...declaration, `"na${end}${end}me";town`, '', ';', `"A${end}d${end}a";"Ly${end}on"`, ';;;;']
          const text = [...above, row, 'last;x', ''].join(end)
          const line = above.join(end).split(end).length + 1
          const found = await rowsOf(text).then(
            (rows) =>
              rows
                .flatMap(({ line, fault }) => (fault === undefined ? [] : [`Line ${line} ${inEnglish(fault)}`]))
                .join(),
            (error) => error.message,
          )
          assert.match(found, why)
          assert.match(found, new RegExp(`^Line ${line} `), JSON.stringify(text.slice(0, 100)))
        }
    await assert.rejects(tableOf('sep=;\r\n"na\r\nme";town\r\n;\r\nx;y;z\r\n'), /Line 5 has 3 cells/)
  })
})
