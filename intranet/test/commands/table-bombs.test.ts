import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import { HttpError } from '@campus/engine/errors'
import { FairQueue } from '@campus/engine/http/readers/fair-queue'
import type { ReaderLimits } from '@campus/engine/http/readers/reader-host'
import { readTable } from '@campus/engine/rest/import/read-table'
import type { Table } from '@campus/engine/rest/import/table'
import { temporaryFolder } from '@campus/test/support/folder'
import { FIRST_SHEET, sheetXml, textCell, workbookOf, workbookParts } from '@campus/test/support/workbooks'
import { zipOf } from '@campus/test/support/zips'

/** Returns a workbook with one sheet of these rows. */
const workbook = (rows: string, more?: Readonly<Record<string, string | Uint8Array>>) => workbookOf([{ rows }], more)

/** A text that repeats a piece. */
type Repeated = { readonly start: string; readonly piece: string; readonly count: number; readonly end: string }

/** Deflates a text. Deflates the repeated piece only once. */
function deflated({ start, piece, count, end }: Repeated): Buffer {
  const block = (text: string) => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([block(start), ...Array<Buffer>(count).fill(block(piece)), deflateRawSync(end)])
}

/** Returns a zip of a workbook whose other parts are minimal. `more` are deflated parts. */
function deflatedWorkbook(more: Readonly<Record<string, Buffer>>, options?: { readonly isZip64?: boolean }): Buffer {
  const minimal = Object.entries(workbookParts([{ rows: '' }])).filter(([name]) => /^xl\/(_rels|workbook)/.test(name))
  const parts = { ...Object.fromEntries(minimal.map(([name, xml]) => [name, deflateRawSync(xml)])), ...more }
  return zipOf(
    Object.entries(parts).map(([name, packed]) => ({ name, packed })),
    options,
  )
}

/** Returns a workbook whose sheet repeats a piece below the heading row. */
const sheetOfMany = (piece: string, count: number): Buffer =>
  deflatedWorkbook({
    [FIRST_SHEET]: deflated({ start: `<worksheet><sheetData>${HEAD}`, piece, count, end: '</sheetData></worksheet>' }),
  })

const HEAD = `<row r="1">${textCell('A1', 'name')}</row>`

function entryBomb(count: number): Uint8Array {
  return deflatedWorkbook(Object.fromEntries(Array.from({ length: count }, (_, at) => [`e${at}`, Buffer.alloc(0)])))
}

/** Returns a workbook with merged cells. They follow the rows, so the reader stops before them. */
function mergedCells(each: number, count: number): Buffer {
  const piece = '<mergeCell ref="A1:B2"/>'.repeat(each)
  const start = `${sheetXml(HEAD).replace('</worksheet>', '')}<mergeCells>`
  return deflatedWorkbook({ [FIRST_SHEET]: deflated({ start, piece, count, end: '</mergeCells></worksheet>' }) })
}

function sharedStrings(piece: string, count: number): Buffer {
  return deflatedWorkbook({
    [FIRST_SHEET]: deflateRawSync(sheetXml(`${HEAD}<row><c t="s"><v>0</v></c></row>`)),
    'xl/sharedStrings.xml': deflated({ start: '<sst>', piece, count, end: '</sst>' }),
  })
}

describe('a table that a page reads in a process', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  async function read(bytes: Uint8Array | string, limits?: ReaderLimits): Promise<Table> {
    const path = join(folder.path, 'table')
    await writeFile(path, bytes)
    return JSON.parse(String((await readTable(path, 1, limits)).json))
  }

  it('takes no memory for the empty cells between distant cells', async () => {
    const far = `<row r="1">${textCell('A1', 'name')}</row><row r="1048576">${textCell('A1048576', 'x')}${textCell('XFD1048576', 'y')}</row>`
    assert.deepEqual(await read(workbook(far)), { columns: ['name'], rows: [['x']], notes: [] })
    await assert.rejects(read(workbook(`<row>${textCell('A1', 'a')}${textCell('XFD1', 'b')}</row>`)), /60 columns/)
  })

  const BOMBS: readonly (readonly [what: string, bytes: () => Uint8Array | string, why: RegExp])[] = [
    ['10,000 entries', () => entryBomb(10_000), /more than 5000 parts/],
    ['elements a thousand deep', () => workbook('<a>'.repeat(1_000)), /levels deep/],
    [
      'a cell of 3 million letters',
      () => workbook(`<row>${textCell('A1', 'x'.repeat(3_000_000))}</row>`),
      /longer than/,
    ],
    [
      'a million empty rows with a style',
      () => sheetOfMany('<row s="1" customFormat="1"/>'.repeat(10_000), 105),
      /more than 200000 rows, empty ones included/,
    ],
    [
      '20,000 rows of 3,000 empty cells with a style',
      () => sheetOfMany(`<row>${'<c s="1"/>'.repeat(3_000)}</row>`, 20_000),
      /more than 500000 cells, empty ones included/,
    ],
    [
      '20,000 rows of 3,000 cells',
      () => sheetOfMany(`<row>${'<c><v>1</v></c>'.repeat(3_000)}</row>`, 20_000),
      /more than 500000 cells|too large|2000 rows/,
    ],
    ['a gigabyte of blanks', () => sheetOfMany(' '.repeat(1_000_000), 1_000), /longer than/],
    ['50 million merged cells', () => mergedCells(50_000, 1_000), /no rows/],
    [
      'shared strings of a gigabyte',
      () => sharedStrings(`<si><t>${'x'.repeat(100_000)}</t></si>`, 10_000),
      /too large/,
    ],
    [
      'a million shared strings',
      () => sharedStrings('<si><t>x</t></si>'.repeat(10_000), 100),
      /more than 500000 texts/,
    ],
    [
      'entities of entities',
      () =>
        workbook('', {
          [FIRST_SHEET]: `<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${sheetXml('<row><c><v>&b;</v></c></row>')}`,
        }),
      /cannot be read/,
    ],
    ['a cell of CSV of 20 MB', () => `name\n"${'x'.repeat(20_000_000)}"\n`, /longer than/],
    ['100,000 columns of CSV', () => `${Array.from({ length: 100_000 }, (_, at) => `c${at}`)}\n`, /2000 columns/],
    ['half a million empty lines', () => `name\n${'\n'.repeat(500_000)}`, /no rows/],
    ['NDJSON', () => `${JSON.stringify({ name: 'x'.repeat(100_000) })}\n`.repeat(100), /quote|twice|no rows|longer/],
  ]

  // A busy machine needs longer until the reader reaches a limit.
  const limits = { seconds: 120, heapMib: 128 }
  for (const [what, bytes, why] of BOMBS)
    it(`refuses ${what}`, async () => {
      await assert.rejects(read(bytes(), limits), why)
    })

  it('ends a process that takes too long or too much memory', async () => {
    const many = sharedStrings(`<si><t>\u{e9}${'x'.repeat(20_000)}</t></si>`, 1_000)
    await assert.rejects(read(many, { seconds: 60, heapMib: 16 }), /too long or too much memory/)
    await assert.rejects(read('name\nx\n', { seconds: 0.001, heapMib: 64 }), /too long or too much memory/)
    assert.deepEqual(await read('name\nx\n'), { columns: ['name'], rows: [['x']], notes: [] })
  })

  it('reads a workbook with pictures, several sheets and styles that compress a hundredfold', async () => {
    const styles = `<styleSheet><cellXfs>${'<xf numFmtId="0" fontId="0"/>'.repeat(20_000)}</cellXfs></styleSheet>`
    const bytes = workbook(`${HEAD}<row r="2">${textCell('A2', 'x')}</row>`, {
      'xl/styles.xml': styles,
      'xl/media/image1.png': new Uint8Array(60_000_000),
      'xl/worksheets/sheet2.xml': sheetXml(HEAD),
    })
    assert.deepEqual(await read(bytes), { columns: ['name'], rows: [['x']], notes: [] })
  })

  it('reads a workbook whose writer uses zip64 for all sizes', async () => {
    const sheet = deflateRawSync(sheetXml(`${HEAD}<row r="2">${textCell('A2', 'x')}</row>`))
    const bytes = deflatedWorkbook({ [FIRST_SHEET]: sheet }, { isZip64: true })
    assert.deepEqual(await read(bytes), { columns: ['name'], rows: [['x']], notes: [] })
  })

  it('has dates, booleans and errors as texts', async () => {
    const xml =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>'
    const row =
      '<row r="2"><c r="A2" s="1"><v>45292</v></c></row><row><c t="b"><v>1</v></c></row><row><c t="e"><v>#N/A</v></c></row>'
    const { rows } = await read(workbook(HEAD + row, { 'xl/styles.xml': xml }))
    assert.deepEqual(rows, [['2024-01-01'], ['true'], ['#N/A']])
  })
})

describe('the queue of costly files', () => {
  const bounds = { concurrency: 2, maxWaitingPerPerson: 1, maxWaiting: 2, seconds: 60 }
  const isRefusedWith = (status: number) => (error: unknown) => error instanceof HttpError && error.status === status

  it('runs one job per person at a time, lets others pass, and refuses more than may wait', async () => {
    const queue = new FairQueue(bounds)
    const order: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = queue.run(1, () => promise)
    const second = queue.run(1, async () => order.push('second'))
    await assert.rejects(
      queue.run(1, async () => {}),
      isRefusedWith(429),
    )
    await queue.run(2, async () => order.push('other'))
    const more = [3, 4].map((person) => queue.run(person, () => promise))
    await assert.rejects(
      queue.run(5, async () => {}),
      isRefusedWith(503),
    )
    resolve()
    await Promise.all([first, second, ...more])
    assert.deepEqual(order, ['other', 'second'])
  })

  it('lets people take turns, however many files each has sent', async () => {
    const queue = new FairQueue({ concurrency: 1, maxWaitingPerPerson: 2, maxWaiting: 10, seconds: 60 })
    const order: string[] = []
    const jobs = [1, 1, 1, 2, 3, 2].map((person, at) =>
      queue.run(person, async () => {
        order.push(`${person} ${at}`)
      }),
    )
    await Promise.all(jobs)
    assert.deepEqual(order, ['1 0', '2 3', '3 4', '1 1', '2 5', '1 2'])
  })

  it('lets a background job wait without a limit, until it is given up', async () => {
    const queue = new FairQueue({ concurrency: 1, maxWaitingPerPerson: 0, maxWaiting: 0, seconds: 0 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = queue.run(1, () => promise)
    const stopping = new AbortController()
    const given = queue.run(2, async () => 'read', { isBackground: true, signal: stopping.signal })
    const other = queue.run(3, async () => 'read', { isBackground: true })
    stopping.abort(new Error('stopped'))
    await assert.rejects(given, /stopped/)
    resolve()
    await first
    assert.equal(await other, 'read')
  })

  it('refuses a job that waits too long, and starts the next one', async () => {
    const queue = new FairQueue({ ...bounds, concurrency: 1, seconds: 0.01 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = queue.run(1, () => promise)
    await assert.rejects(
      queue.run(2, async () => {}),
      isRefusedWith(503),
    )
    resolve()
    await first
    assert.equal(await queue.run(2, async () => 'done'), 'done')
  })
})
