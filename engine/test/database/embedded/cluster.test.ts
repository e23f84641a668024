import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { ConfigError } from '../../../base/config-error.ts'
import { findBinaries, findPackage, restoreLinks } from '../../../database/embedded/binaries.ts'
import { EmbeddedServer } from '../../../database/embedded/embedded-server.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
beforeEach(async () => {
  folder = await temporaryFolder()
  data = join(folder.path, 'data')
})
afterEach(() => folder.remove())

const open = (binaries?: string) => EmbeddedServer.open({ data, connections: 10, binaries })

async function assertRefused(opening: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(opening, (error: Error) => {
    assert.ok(error instanceof ConfigError, error.stack)
    assert.match(error.message, message)
    assert.equal(error.message.split('\n').length, 1)
    return true
  })
}

/** A folder with PostgreSQL's programs, as scripts. */
async function programs(script: string): Promise<string> {
  const path = join(folder.path, 'bin')
  await mkdir(path)
  for (const name of ['postgres', 'initdb']) {
    await writeFile(join(path, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(path, name), 0o755)
  }
  return path
}

describe('a new database', () => {
  it('is begun anew where making it was interrupted', async () => {
    await mkdir(join(data, 'postgresql.new', 'base'), { recursive: true })
    await writeFile(join(data, 'postgresql.new', 'PG_VERSION'), '18\n')
    await (await open()).close()
    assert.deepEqual((await readdir(data)).sort(), ['postgresql', 'postgresql.log'])
  })
})

describe('a start is refused by one message that says what would be right', () => {
  it('on the database of an earlier release', async () => {
    await mkdir(join(data, 'database'), { recursive: true })
    await writeFile(join(data, 'database', 'PG_VERSION'), '18\n')
    await assertRefused(
      open(),
      /data\/database is the database of an earlier release .* set CAMPUS_DATA to a new folder/,
    )
    assert.deepEqual(await readdir(data), ['database'])
  })

  it('on a database of another version of PostgreSQL', async () => {
    await mkdir(join(data, 'postgresql'), { recursive: true })
    await writeFile(join(data, 'postgresql', 'PG_VERSION'), '17\n')
    await assertRefused(open(), /was made by PostgreSQL 17, .* set CAMPUS_POSTGRES_BIN to programs of version 17\./)
  })

  it('with a folder that has no programs', async () => {
    await assertRefused(
      open(folder.path),
      /^CAMPUS_POSTGRES_BIN must be a folder with the program postgres; .* has none/,
    )
  })

  it('with programs that are too old', async () => {
    await assertRefused(
      open(await programs('echo "postgres (PostgreSQL) 14.2"')),
      /must hold PostgreSQL 15 or later; .* 14\.2/,
    )
  })

  it('with programs that do not run here, as on a machine with another C library', async () => {
    await assertRefused(
      open(await programs('echo "no such library" >&2; exit 127')),
      /does not run on this machine .*no such library.*set DATABASE_URL to a PostgreSQL server/,
    )
  })

  it('where no package has programs for the machine', () => {
    assert.throws(
      () => findPackage('linux', 'riscv64'),
      /There is no embedded PostgreSQL for this machine \(linux-riscv64\).*set DATABASE_URL to a PostgreSQL server/,
    )
  })

  it('where PostgreSQL ends at once, with what it said', async () => {
    await (await open()).close()
    await writeFile(join(data, 'postgresql', 'postgresql.conf'), 'shared_buffers = much\n')
    await assert.rejects(open(), /invalid value for parameter "shared_buffers": "much"/)
  })
})

describe('the libraries of the package', () => {
  it('get the links back that its install script would have made', async () => {
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
    await mkdir(join(folder.path, 'native', 'lib'), { recursive: true })
    await writeFile(join(folder.path, 'native', 'pg-symlinks.json'), JSON.stringify(links))
    for (let time = 0; time < 2; time += 1) await restoreLinks(folder.path)
    assert.equal(await readlink(join(folder.path, 'native', 'lib', 'libpq.so.5')), 'libpq.so.5.18')
    await rm(join(folder.path, 'native', 'lib'), { recursive: true })
    await assertRefused(restoreLinks(folder.path), /lacks the link .*libpq\.so\.5.*\(ENOENT\).*"npm rebuild"/)
  })

  it('are all linked in the one for this machine', async () => {
    const root = join(await findBinaries(undefined), '..', '..')
    const list = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'))
    for (const { target } of list) await readFile(join(root, target))
  })
})
