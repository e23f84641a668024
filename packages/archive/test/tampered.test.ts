/** Archives that somebody has made or changed, with sums that agree: refused in words, and nothing is written anywhere. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { findSecretKey, storeSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { ArchiveError, HEAD, MANIFEST } from '../format.ts'
import { countLines } from '../lines.ts'
import { readArchive } from '../read-archive.ts'
import { compress, encryptPacked, unpack } from '../streams.ts'
import { readTar, tarHeader, tarPadding } from '../tar.ts'
import { backUpTo, type Installation, NOW, restoreFrom } from './installation.ts'
import { emptyInstallation, smallSchool } from './small-school.ts'

type Entry = { readonly name: string; readonly content: Buffer; readonly header?: (header: Buffer) => void }
type Head = Record<string, unknown> & { tables: { name: string; columns: { name: string; type: string }[] }[] }

let school: Installation
let target: Installation
let file: string
let entries: readonly Entry[]
before(async () => {
  school = await smallSchool()
  target = await emptyInstallation()
  await storeSecretKey(target.config, (await findSecretKey(school.config)) as Buffer)
  file = join(school.config.data, 'school.campus')
  await backUpTo(file, school)
  entries = await entriesOf(await readFile(file))
})
after(async () => {
  await school.close()
  await target.close()
})

async function entriesOf(archive: Buffer): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const { name, content } of readTar(unpack(Readable.from([archive]), undefined))) {
    found.push({ name, content: await buffer(Readable.from(content)) })
  }
  return found
}

/** The entries as an archive, whose sums say what is in it unless they come along themselves. */
function tarOf(parts: readonly Entry[]): Buffer {
  const bytes = parts.flatMap(({ name, content, header = () => {} }) => {
    const head = tarHeader(name, content.length, NOW)
    header(head)
    head.fill(' ', 148, 156)
    const sum = head.reduce((total, byte) => total + byte, 0)
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    return [head, content, tarPadding(content.length)]
  })
  return Buffer.concat([...bytes, Buffer.alloc(1024)])
}

function withSums(parts: readonly Entry[]): readonly Entry[] {
  const sums: Record<string, { rows: number; bytes: number; hash: ReturnType<typeof createHash> }> = {}
  const head = JSON.parse(String(parts[0]?.content))
  const names = [].concat(head?.tables ?? []).flatMap((table: { name?: string }) => table?.name ?? [])
  for (const name of names) sums[name] = { rows: 0, bytes: 0, hash: createHash('sha256') }
  let [count, bytes] = [0, 0]
  const damaged: string[] = []
  for (const { name, content } of parts) {
    const table = /^tables\/(\w+)\//.exec(name)?.[1]
    if (table) {
      sums[table] ??= { rows: 0, bytes: 0, hash: createHash('sha256') }
      sums[table].rows += countLines(content)
      sums[table].bytes += content.length
      sums[table].hash.update(content)
    } else if (name.startsWith('files/')) {
      count += 1
      bytes += content.length
      if (createHash('sha256').update(content).digest('hex') !== name.slice(6)) damaged.push(name.slice(6))
    }
  }
  const tables = Object.fromEntries(
    Object.entries(sums).map(([name, { hash, ...sum }]) => [name, { ...sum, sha256: hash.digest('hex') }]),
  )
  const manifest = { tables, files: { count, bytes, missing: [], damaged } }
  return parts.map((part) => (part.name === MANIFEST ? { ...part, content: json(manifest) } : part))
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const packed = async (tar: Buffer) => buffer(compress(Readable.from([tar])))

/** Refused in words that a terminal may show, with nothing changed and nothing made beside it. */
async function isRefused(archive: Buffer, message: RegExp, what: string): Promise<void> {
  const path = join(school.config.data, 'refused.campus')
  await writeFile(path, archive)
  const files = await allFilesOf(target)
  await assert.rejects(
    restoreFrom(path, target),
    (error: Error) => {
      assert.ok(error instanceof ArchiveError, `${what}: ${error.stack}`)
      assert.match(error.message, message, what)
      assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u, what)
      assert.ok(error.message.length < 400, what)
      return true
    },
    what,
  )
  const [found] = await target.database.rows(
    "select count(*) from pg_class where relnamespace = 'public'::regnamespace",
  )
  assert.equal(found?.[0], '0', `${what}: the database is as it was, without a mark`)
  assert.deepEqual(await allFilesOf(target), files, what)
  for (const outside of ['/tmp/planted', join(target.config.data, '../planted')]) assert.ok(!existsSync(outside), what)
}

/** Files that were stored before the refusal have names that nothing refers to. */
const allFilesOf = async ({ config }: Installation) =>
  (await readdir(config.data, { recursive: true })).filter((name) => !name.startsWith('files'))

const refuseAll = async (changes: Readonly<Record<string, readonly [RegExp, () => readonly Entry[]]>>) => {
  for (const [what, [message, change]] of Object.entries(changes))
    await isRefused(await packed(tarOf(withSums(change()))), message, what)
}

const changeHead = (change: (head: Head) => unknown) => () => {
  const head = JSON.parse(String(entries[0]?.content))
  const given = change(head)
  const changed = given === undefined ? head : given
  return entries.map((entry) => (entry.name === HEAD ? { ...entry, content: json(changed) } : entry))
}

/** Adds a column to the head of a table that has rows. */
const addColumn = (name: string) => (head: Head) =>
  void head.tables.find((table) => table.name === 'users')?.columns.push({ name, type: 'text' })

/** With other lines in a table. */
const changeLines = (table: string, change: (rows: string[][]) => readonly unknown[]) => () =>
  entries.map((entry) => {
    if (!entry.name.startsWith(`tables/${table}/`)) return entry
    const rows = entry.content.toString().split('\n').slice(0, -1)
    const lines = change(rows.map((row) => JSON.parse(row)))
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    return { ...entry, content: Buffer.from(text.map((line) => `${line}\n`).join('')) }
  })

const columnOf = (table: string, column: string): number => {
  const head = JSON.parse(String(entries[0]?.content)) as Head
  return head.tables.find(({ name }) => name === table)?.columns.findIndex(({ name }) => name === column) ?? -1
}

/** The rows with another value in the first one. */
const setFirst = (table: string, column: string, value: unknown) =>
  changeLines(table, ([first = [], ...rows]) => [
    first.map((old, at) => (at === columnOf(table, column) ? value : old)),
    ...rows,
  ])

const inserting =
  (entry: Entry, at = 1) =>
  () => [...entries.slice(0, at), entry, ...entries.slice(at)]
const entryOf = (name: string, content = Buffer.from('[]\n'), header?: (header: Buffer) => void): Entry => ({
  name,
  content,
  ...(header ? { header } : {}),
})

describe('an archive that was tampered with', () => {
  it('in what it says of itself', async () => {
    const HOSTILE = '\u001b[2J\u202e'
    await refuseAll(
      Object.fromEntries(
        Object.entries<(head: Head) => unknown>({
          'a list': () => [],
          null: () => null,
          'no tables': (head) => ({ ...head, tables: undefined as never }),
          'tables that are none': (head) => ({ ...head, tables: [null, 7] as never }),
          'a table without a name': (head) =>
            void head.tables.push({ name: '', columns: [{ name: 'id', type: 'int' }] }),
          'a table with a zero byte': (head) =>
            void head.tables.push({ name: 'x\0', columns: [{ name: 'id', type: 'int' }] }),
          'a column of 64 bytes': (head) => void head.tables[0]?.columns.push({ name: 'é'.repeat(32), type: 'int' }),
          'a table without columns': (head) => ({ ...head, tables: [{ name: 'users', columns: [] }] }),
          'a format that is no number': (head) => ({ ...head, format: 'one' }),
          'a service for a terminal': (head) => ({ ...head, service: HOSTILE }),
          'a time for a terminal': (head) => ({ ...head, created_at: HOSTILE }),
          'no migrations': (head) => ({ ...head, migrations: 'all' }),
          'a migration for a terminal': (head) => ({ ...head, migrations: [HOSTILE] }),
          'a sequence by a statement': (head) => ({
            ...head,
            sequences: { '"x"; drop table users; --"': ['1', true] },
          }),
          'sequences of another schema': (head) => ({ ...head, sequences: { 'pg_catalog.x': ['1', true] } }),
          'a sequence with no number': (head) => ({ ...head, sequences: { users_id_seq: ['1; drop', true] } }),
          'a key that is none': (head) => ({ ...head, secrets: { key_id: '0123456789abcdef', key: '' } }),
          'a key of another id': (head) => ({
            ...head,
            secrets: { key_id: '0123456789abcdef', key: 'a'.repeat(64) },
          }),
          'a key that is too short': (head) => ({ ...head, secrets: { key_id: '0123456789abcdef', key: 'abcd' } }),
        }).map(([what, change]) => [what, [/no archive of this service/, changeHead(change)] as const]),
      ),
    )
    await refuseAll({
      'a later format': [
        /newer version \(9\s+\[2J ?\)/,
        changeHead((head) => ({ ...head, format: 99, service: `9${HOSTILE}` })),
      ],
      'a column by a statement': [/damaged/, changeHead(addColumn('id") from users; --'))],
      'a column that there is not': [/damaged/, changeHead(addColumn('planted'))],
      'no table of ours': [
        /no table of this service|damaged/,
        () => changeHead((head) => ({ ...head, tables: [] }))().filter(({ name }) => !/^(tables|files)/.test(name)),
      ],
      'migrations with holes': [/cannot be restored/, changeHead((head) => ({ ...head, migrations: ['0006_users'] }))],
      'a sequence beyond its end': [
        /cannot be restored/,
        changeHead((head) => ({ ...head, sequences: { users_id_seq: ['9999999999999999999', true] } })),
      ],
    })
  })

  it('in its rows', async () => {
    const values: readonly (readonly [string, unknown])[] = [
      ['a number', 7],
      ['an object', { a: 1 }],
      ['true', true],
      ['an array', ['1']],
    ]
    await refuseAll({
      ...Object.fromEntries(
        values.map(([what, value]) => [what, [/a row of it is none/, setFirst('users', 'login', value)] as const]),
      ),
      'the null character': [/cannot be restored/, setFirst('users', 'login', 'a\u0000b')],
      'text for a number': [/cannot be restored: invalid input/, setFirst('users', 'wallet', '\u001b[2Jmuch\u202e')],
      'an id of no range': [/cannot be restored/, setFirst('users', 'id', '99999999999')],
      'nothing where something must be': [/cannot be restored: null value/, setFirst('users', 'login', null)],
      'somebody who is not there': [/cannot be restored/, setFirst('locations', 'user_id', '424242')],
      'a path for an id of a file': [/cannot be restored/, setFirst('stored_files', 'id', '../../../planted')],
      'a row twice': [/cannot be restored: duplicate/, changeLines('users', (rows) => [...rows, rows[0] ?? []])],
      'too few values': [/a row of it is none/, changeLines('users', ([row = []]) => [row.slice(1)])],
      'too many values': [/a row of it is none/, changeLines('users', ([row = []]) => [[...row, 'x']])],
      'no JSON': [/a row of it is none/, changeLines('users', () => ['{not json'])],
      'no list': [/a row of it is none/, changeLines('users', () => ['null', '{}', '7'])],
      'the end of COPY, and a statement': [
        /a row of it is none/,
        changeLines('users', () => ['\\.', 'drop table users;']),
      ],
      'half a line': [
        /a line of it is not whole/,
        () =>
          entries.map((entry) =>
            entry.name.startsWith('tables/users/') ? { ...entry, content: entry.content.subarray(0, -1) } : entry,
          ),
      ],
      'a line that never ends': [
        /a line of it is no row/,
        () =>
          entries.map((entry) =>
            entry.name.startsWith('tables/users/') ? { ...entry, content: Buffer.alloc(80_000_000, ' ') } : entry,
          ),
      ],
    })
  })

  it('in its entries: names that lead elsewhere, links, folders, twice the same', async () => {
    const digest = 'a'.repeat(64)
    const names = [
      '../planted',
      '/tmp/planted',
      `files/../${digest}`,
      `files/${digest}/../../x`,
      'tables/../x',
      'tables/users/../../x.ndjson',
      `files/${digest}\u001b`,
    ]
    await refuseAll(
      Object.fromEntries(
        names.map((name) => [name, [/no archive of this service/, inserting(entryOf(name))] as const]),
      ),
    )
    const types = {
      'a hard link': '1',
      'a link': '2',
      'a device': '3',
      'a folder': '5',
      'a long name': 'L',
      'a header of pax': 'x',
    }
    await refuseAll(
      Object.fromEntries(
        Object.entries(types).map(([what, type]) => [
          what,
          [
            /no sound header/,
            inserting(entryOf(`files/${digest}`, Buffer.alloc(0), (header) => void header.write(type, 156))),
          ] as const,
        ]),
      ),
    )
    await refuseAll({
      'a name in two parts': [
        /no sound header/,
        inserting(entryOf(`files/${digest}`, Buffer.alloc(0), (header) => void header.write('/etc', 345))),
      ],
      'two heads': [/no archive of this service/, inserting(entries[0] as Entry)],
      'two manifests': [/no archive of this service/, inserting(entries.at(-1) as Entry, entries.length)],
      'something after its end': [
        /no archive of this service/,
        inserting(entryOf('tables/users/000009.ndjson'), entries.length),
      ],
      'the end first': [/no archive of this service/, () => [...entries].reverse()],
    })
    const sizes = {
      'more than there is': '77777777777',
      'below zero': '-0000000001',
      'no number': 'abcdefghijk',
      'in another way': '\x80\0\0\0\0\0\0\0\0\0\x10',
    }
    for (const [what, size] of Object.entries(sizes)) {
      const sized = entryOf(
        'tables/users/000009.ndjson',
        Buffer.from('[]\n'),
        (header) => void header.write(size, 124, 'latin1'),
      )
      await isRefused(await packed(tarOf(inserting(sized)())), /not whole|no sound header|damaged/, what)
    }
  })

  it('by cutting it after any entry, and anywhere in one', async () => {
    const tar = tarOf(entries)
    const ends = entries.map((_, at) => tarOf(entries.slice(0, at)).length - 1024)
    for (const end of [...ends, 1, 511, 513, tar.length - 1025]) {
      const archive = await packed(tar.subarray(0, end))
      await isRefused(archive, /not whole/, `cut at ${end} of ${tar.length}`)
    }
  })

  it('in its sums', async () => {
    for (const manifest of [null, [], {}, { tables: {}, files: null }, { tables: null, files: {} }]) {
      const changed = entries.map((entry) => (entry.name === MANIFEST ? { ...entry, content: json(manifest) } : entry))
      await isRefused(await packed(tarOf(changed)), /damaged/, JSON.stringify(manifest))
    }
  })

  it('by other programs, or for somebody else', async () => {
    const folder = join(school.config.data, 'other')
    await mkdir(folder)
    await writeFile(join(folder, HEAD), '{}')
    const tar = execFileSync('tar', ['-C', folder, '-cf', '-', '.'])
    for (const archive of [
      tar,
      gzipSync(tar),
      zstdCompressSync(tar),
      zstdCompressSync(Buffer.alloc(200_000_000)),
      Buffer.from('PK\u0003\u0004'),
    ])
      await isRefused(archive, /no archive|no sound header|not whole/, 'a tar of another program')
    const recipient = await identityToRecipient(await generateX25519Identity())
    const stream = await encryptPacked(compress(Readable.from([tarOf(entries)])), { recipients: [recipient] })
    const path = join(school.config.data, 'others.campus')
    await writeFile(path, await buffer(stream))
    const identity = await generateX25519Identity()
    await assert.rejects(restoreFrom(path, target, { identity }), /cannot be decrypted: the key is another/)
    await assert.rejects(restoreFrom(path, target, { passphrase: 'open sesame' }), /made for a public key/)
    await assert.rejects(restoreFrom(path, target), /It is encrypted/)
  })

  it('in any bit, plain or encrypted: it is refused, or all in it is as it was', async () => {
    const identity = await generateX25519Identity()
    const path = join(school.config.data, 'turned.campus')
    const reading = { opening: { identity }, progress: () => {}, step: 'checked' }
    const small = await packed(tarOf(withSums(entries.filter(({ name }) => !name.startsWith('files/')))))
    const closed = await buffer(
      await encryptPacked(
        compress(Readable.from([tarOf(withSums(entries.filter(({ name }) => !name.startsWith('files/'))))])),
        {
          recipients: [await identityToRecipient(identity)],
        },
      ),
    )
    for (const archive of [small, closed]) {
      await writeFile(path, archive)
      const whole = await readArchive(path, reading)
      for (let step = 0; step < 150; step += 1) {
        const at = Math.floor((archive.length * step) / 150)
        const turned = Buffer.from(archive)
        turned[at] = (turned[at] as number) ^ (1 << (step % 8))
        await writeFile(path, turned)
        const read = await readArchive(path, reading).catch((error) => error)
        if (read instanceof Error) assert.ok(read instanceof ArchiveError, `${at}: ${read.stack}`)
        else assert.deepEqual(read, whole, String(at))
      }
    }
  })

  it('in nothing is restored, so that all of these were refused for what was changed', async () => {
    const path = join(school.config.data, 'same.campus')
    await writeFile(path, await packed(tarOf(withSums(entries))))
    await restoreFrom(path, target)
    assert.deepEqual(await target.database.rows('select count(*) from users'), [['2']])
  })
})
