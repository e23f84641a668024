import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { builderOf } from '@campus/test/support/row-builder'
import { MAIN, outcomeOf } from '@campus/test/support/run-campus'

/** Limit of the JavaScript heap. The command needs about 60 MiB. */
const HEAP_MIB = 192
const MIB = 1_048_576

const NAMES = 'login,email,first_name,last_name,kind'
const person = (n: number, name = 'Ada') => `b${n},b${n}@example.org,${name},Byron,student`
const times = (count: number, text: (at: number) => string, between = '') =>
  Array.from({ length: count }, (_, at) => text(at)).join(between)
const line = (more: string) =>
  `{"login":"deep","email":"deep@example.org","first_name":"A","last_name":"B","kind":"student",${more}}\n`

type Bomb = {
  readonly what: string
  readonly ending: 'csv' | 'ndjson'
  readonly pieces: () => Iterable<string | Buffer>
  /** Expected message. */
  readonly words: RegExp
}

function* repeated(count: number, piece: (at: number) => string | Buffer): Generator<string | Buffer> {
  for (let at = 0; at < count; at += 1) yield piece(at)
}

const BOMBS: readonly Bomb[] = [
  {
    what: 'rows of nearly a megabyte',
    ending: 'ndjson',
    pieces: () => repeated(250, () => line(`"usual_first_name":"${'x'.repeat(1_000_000)}"`)),
    words: /usual_first_name +is too long/,
  },
  {
    what: 'a line that never ends',
    ending: 'csv',
    pieces: () => repeated(100, (at) => (at === 0 ? `${NAMES}\n` : 'x'.repeat(MIB))),
    words: /Line 2 is longer than 1048576 characters/,
  },
  {
    what: 'a first line that never ends',
    ending: 'csv',
    pieces: () => repeated(100, () => 'x'.repeat(MIB)),
    words: /Line 1 is longer than 1048576 characters/,
  },
  {
    what: 'a quote that is never closed',
    ending: 'csv',
    pieces: () => repeated(100, (at) => (at === 0 ? `${NAMES}\n"` : `${'x'.repeat(1_000)}\n`.repeat(1_000))),
    words: /Line 2 is longer than .* whether a quote in the row is never closed/,
  },
  {
    what: 'a quote within a quote, again and again',
    ending: 'csv',
    pieces: () => [`${NAMES}\n`, '"a"b"'.repeat(MIB)],
    words: /quote/,
  },
  {
    what: 'hundreds of thousands of columns',
    ending: 'csv',
    pieces: () => [`${times(100_000, (at) => `c${at}`, ',')}\n`, `${','.repeat(99_999)}\n`],
    words: /more than 2000 columns/,
  },
  {
    what: 'a million cells in a row',
    ending: 'csv',
    pieces: () => [`${NAMES}\n`, ...repeated(3, () => `x${','.repeat(1_000_000)}\n`)],
    words: /has 1000001 cells where the first line names 5 columns/,
  },
  {
    what: 'a name of a column that is long',
    ending: 'csv',
    pieces: () => [`${NAMES},${'x'.repeat(1_001)}\n`, `${person(1)},x\n`],
    words: /name of column 6 is longer than 1000 characters/,
  },
  {
    what: 'deep JSON in a cell',
    ending: 'csv',
    pieces: () => [`${NAMES},meta\n`, `${person(1)},"${'['.repeat(500_000)}${']'.repeat(500_000)}"\n`],
    words: /meta +is nested more deeply than 64 levels/,
  },
  {
    what: 'a line that never ends',
    ending: 'ndjson',
    pieces: () => repeated(100, () => '{"a":1,'.repeat(MIB / 7)),
    words: /Line 1 is longer than 1048576 characters/,
  },
  {
    what: 'deep JSON',
    ending: 'ndjson',
    pieces: () => [line('"meta":{}'), line(`"meta":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
    words: /is nested more deeply than 64 levels/,
  },
  {
    what: 'a long name before each of many',
    ending: 'ndjson',
    pieces: () => [
      line('"meta":{}'),
      ...repeated(20, () => line(`"${'x'.repeat(500_000)}":{${times(1_900, (at) => `"k${at}":1`, ',')}}`)),
    ],
    words: /has a name that is longer than 1000 characters/,
  },
  {
    what: 'other names on each line',
    ending: 'ndjson',
    pieces: () => repeated(1_000, (at) => line(times(1_900, (name) => `"k${at}_${name}":1`, ','))),
    words: /more than 2000 columns/,
  },
  {
    what: 'bytes of a table that was compressed',
    ending: 'csv',
    pieces: () => [gzipSync(Buffer.alloc(100 * MIB))],
    words: /compressed with gzip: unpack it first/,
  },
  {
    what: 'the same with zstd',
    ending: 'ndjson',
    pieces: () => [zstdCompressSync(Buffer.alloc(100 * MIB))],
    words: /compressed with zstd: unpack it first/,
  },
  {
    what: 'an old workbook',
    ending: 'csv',
    pieces: () => [Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(MIB)],
    words: /older spreadsheet/,
  },
  {
    what: 'zeros',
    ending: 'csv',
    pieces: () => repeated(50, () => Buffer.alloc(MIB)),
    words: /Line 1 is longer than/,
  },
]

describe(`an import takes no more than ${HEAP_MIB} MiB and says what is wrong, whatever the file has:`, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: TestDatabase
  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
    await builderOf(database).campus()
  })
  after(async () => {
    await database?.close()
    await folder.remove()
  })

  for (const { what, ending, pieces, words } of BOMBS) {
    it(`${what} (${ending})`, async () => {
      const path = join(folder.path, `bomb.${ending}`)
      await write(path, pieces())
      const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
      const child = spawn(
        process.execPath,
        [`--max-old-space-size=${HEAP_MIB}`, '--max-semi-space-size=16', MAIN, 'import', 'users', path],
        { env: { PATH, NODE_COMPILE_CACHE, DATABASE_URL: database.url, CAMPUS_DATA: folder.path } },
      )
      const { code, stdout, stderr } = await outcomeOf(child)
      const said = stdout + stderr
      assert.equal(code, 1, said.slice(0, 2_000))
      assert.match(said, words)
      assert.doesNotMatch(said, /heap|RangeError|at .*\.[jt]s:/)
      assert.ok(said.length < 65_536, `${said.length} characters are said`)
      assert.deepEqual(await database.rows('select count(*) from users'), [['0']])
    })
  }
})

async function write(path: string, pieces: Iterable<string | Buffer>): Promise<void> {
  const file = createWriteStream(path)
  for (const piece of pieces) if (!file.write(piece)) await once(file, 'drain')
  file.end()
  await once(file, 'close')
}
