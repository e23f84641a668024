import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { HttpError } from '../../src/errors.ts'
import { FairQueue } from '../../src/http/readers/fair-queue.ts'
import type { ReaderLimits } from '../../src/http/readers/reader-host.ts'
import { readTable } from '../../src/rest/import/read-table.ts'
import type { Table } from '../../src/rest/import/table.ts'
import { temporaryFolder } from '../support/folder.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const PARTS = {
  'xl/workbook.xml': '<workbook><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}
const SHEET = 'xl/worksheets/sheet1.xml'
const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`

function workbook(rows: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array {
  const parts = Object.entries({ ...PARTS, [SHEET]: sheetOf(rows), ...more })
  return zipSync(
    Object.fromEntries(parts.map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part])),
  )
}

/** A text that repeats a piece, deflated: the piece is deflated once. */
type Repeated = { readonly start: string; readonly piece: string; readonly count: number; readonly end: string }

function deflated({ start, piece, count, end }: Repeated): Buffer {
  const block = (text: string) => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([block(start), ...Array<Buffer>(count).fill(block(piece)), deflateRawSync(end)])
}

/** A zip of deflated contents. Like some writers, it can have all sizes in the zip64 field. */
function zipOf(parts: Readonly<Record<string, Buffer>>, { isZip64 = false } = {}): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(parts)) {
    const local = Buffer.alloc(30)
    local.write('PK\x03\x04', 'latin1')
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    const extra = Buffer.alloc(isZip64 ? 28 : 0)
    central.write('PK\x01\x02', 'latin1')
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(isZip64 ? 0xffffffff : content.length, 20)
    central.writeUInt32LE(isZip64 ? 0xffffffff : 1, 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt16LE(extra.length, 30)
    central.writeUInt32LE(isZip64 ? 0xffffffff : offset, 42)
    if (isZip64) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      extra.writeBigUInt64LE(1n, 4)
      extra.writeBigUInt64LE(BigInt(content.length), 12)
      extra.writeBigUInt64LE(BigInt(offset), 20)
    }
    files.push(local, Buffer.from(name), content)
    directory.push(central, Buffer.from(name), extra)
    offset += local.length + name.length + content.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listing, end])
}

const deflatedParts = (more: Readonly<Record<string, Buffer>>) => ({
  ...Object.fromEntries(Object.entries(PARTS).map(([name, text]) => [name, deflateRawSync(text)])),
  ...more,
})

/** A workbook whose sheet repeats a piece below the line of names. */
const sheetOfMany = (piece: string, count: number): Buffer =>
  zipOf(
    deflatedParts({
      [SHEET]: deflated({
        start: `<worksheet><sheetData>${HEAD}`,
        piece,
        count,
        end: '</sheetData></worksheet>',
      }),
    }),
  )

const cell = (address: string, text: string) => `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`
const HEAD = `<row r="1">${cell('A1', 'name')}</row>`

function entryBomb(count: number): Uint8Array {
  return zipOf(deflatedParts(Object.fromEntries(Array.from({ length: count }, (_, at) => [`e${at}`, Buffer.alloc(0)]))))
}

/** Merged cells follow the rows, so the reader never comes to them. */
function mergedCells(each: number, count: number): Buffer {
  const piece = '<mergeCell ref="A1:B2"/>'.repeat(each)
  const start = `${sheetOf(HEAD).replace('</worksheet>', '')}<mergeCells>`
  return zipOf(deflatedParts({ [SHEET]: deflated({ start, piece, count, end: '</mergeCells></worksheet>' }) }))
}

function sharedStrings(piece: string, count: number): Buffer {
  return zipOf(
    deflatedParts({
      [SHEET]: deflateRawSync(sheetOf(`${HEAD}<row><c t="s"><v>0</v></c></row>`)),
      'xl/sharedStrings.xml': deflated({ start: '<sst>', piece, count, end: '</sst>' }),
    }),
  )
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

  it('has no grid between distant cells', async () => {
    const far = `<row r="1">${cell('A1', 'name')}</row><row r="1048576">${cell('A1048576', 'x')}${cell('XFD1048576', 'y')}</row>`
    assert.deepEqual(await read(workbook(far)), { columns: ['name'], rows: [['x']] })
    await assert.rejects(read(workbook(`<row>${cell('A1', 'a')}${cell('XFD1', 'b')}</row>`)), /60 columns/)
  })

  const BOMBS: readonly (readonly [what: string, bytes: () => Uint8Array | string, why: RegExp])[] = [
    ['10,000 entries', () => entryBomb(10_000), /more than 5000 parts/],
    ['elements a thousand deep', () => workbook('<a>'.repeat(1_000)), /levels deep/],
    ['a cell of 3 million letters', () => workbook(`<row>${cell('A1', 'x'.repeat(3_000_000))}</row>`), /longer than/],
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
          [SHEET]: `<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${sheetOf('<row><c><v>&b;</v></c></row>')}`,
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
    assert.deepEqual(await read('name\nx\n'), { columns: ['name'], rows: [['x']] })
  })

  it('reads a workbook with pictures, several sheets and styles that compress a hundredfold', async () => {
    const styles = `<styleSheet><cellXfs>${'<xf numFmtId="0" fontId="0"/>'.repeat(20_000)}</cellXfs></styleSheet>`
    const bytes = workbook(`${HEAD}<row r="2">${cell('A2', 'x')}</row>`, {
      'xl/styles.xml': styles,
      'xl/media/image1.png': new Uint8Array(60_000_000),
      'xl/worksheets/sheet2.xml': sheetOf(HEAD),
    })
    assert.deepEqual(await read(bytes), { columns: ['name'], rows: [['x']] })
  })

  it('reads a workbook whose writer uses zip64 for all sizes', async () => {
    const sheet = deflateRawSync(sheetOf(`${HEAD}<row r="2">${cell('A2', 'x')}</row>`))
    const bytes = zipOf(deflatedParts({ [SHEET]: sheet }), { isZip64: true })
    assert.deepEqual(await read(bytes), { columns: ['name'], rows: [['x']] })
  })

  it('has dates, booleans and errors as texts', async () => {
    const xml =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>'
    const row =
      '<row r="2"><c r="A2" s="1"><v>45292</v></c></row><row><c t="b"><v>1</v></c></row><row><c t="e"><v>#N/A</v></c></row>'
    const { rows } = await read(workbook(HEAD + row, { 'xl/styles.xml': strToU8(xml) }))
    assert.deepEqual(rows, [['2024-01-01'], ['true'], ['#N/A']])
  })
})

describe('the queue of costly files', () => {
  const bounds = { room: 2, maxWaitingPerPerson: 1, maxWaiting: 2, seconds: 60 }
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
    const queue = new FairQueue({ room: 1, maxWaitingPerPerson: 2, maxWaiting: 10, seconds: 60 })
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
    const queue = new FairQueue({ room: 1, maxWaitingPerPerson: 0, maxWaiting: 0, seconds: 0 })
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
    const queue = new FairQueue({ ...bounds, room: 1, seconds: 0.01 })
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
