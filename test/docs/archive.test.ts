import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Installation } from '@campus/archive/test/installation'
import { emptyInstallation, smallSchool, urlOf } from '@campus/archive/test/small-school'
import { outcomeOf } from '../support/run-campus.ts'
import { commandsUnder, served, shellIn, type Type } from './typing.ts'

const PAGE = 'archive.md'
const DATABASE = 'postgres://campus@db.example.org/campus'

/** The commands of the page are typed into a shell as they stand there, with another address of the database. */
describe('docs/archive.md, followed to the letter', () => {
  let school: Installation
  let target: Installation
  let folder: string
  let type: Type
  before(async () => {
    school = await smallSchool()
    target = await emptyInstallation()
    folder = join(school.config.data, 'shell')
    type = await shellIn(folder)
  })
  after(async () => {
    await school.close()
    await target.close()
  })

  it('lost: the archive is restored by what Restore says, and the school is served', async () => {
    const data = target.config.data
    const made = await outcomeOf(
      type('campus backup school.campus', {
        CAMPUS_DATA: school.config.data,
        DATABASE_URL: await urlOf(school.database),
      }),
    )
    assert.deepEqual([made.code, made.stderr], [0, ''])
    const [look = ''] = await commandsUnder(PAGE, 'The format')
    const listed = await outcomeOf(type(`command -v zstd >/dev/null || exit 127; ${look}`, {}))
    if (listed.code !== 127) assert.match(listed.stdout, /^campus\.json\n.*manifest\.json\n$/s, listed.stderr)
    // The new machine has nothing but the archive and the key.
    await rename(join(folder, 'school.campus'), join(data, 'school.campus'))
    const lines = await commandsUnder(PAGE, 'Restore')
    assert.equal(lines.at(-1), 'campus serve')
    const url = await urlOf(target.database)
    const typed = lines.map((line) =>
      line
        .replaceAll('/srv/campus', data)
        .replaceAll(DATABASE, url)
        .replaceAll('/media/backup/secret.key', join(school.config.data, 'secret.key'))
        .replaceAll('/media/backup/school.campus', join(data, 'school.campus')),
    )
    const done = await outcomeOf(type(typed.slice(0, -1).join(' && '), {}))
    assert.deepEqual([done.code, done.stderr], [0, ''])
    assert.match(done.stdout, /It is whole.*\nThe key of its secrets is here\.\nRestored \d+ rows and 1 files/)
    const exports = typed.filter((line) => line.startsWith('export '))
    await assertServes([...exports, 'exec campus serve'].join(' && '))
    assert.deepEqual(await target.database.rows('select count(*) from users'), [['2']])
  })

  it('moved: every command of Moving does what it says', async () => {
    const moved = await emptyInstallation()
    try {
      const lines = await commandsUnder(PAGE, 'Moving')
      assert.equal(lines.length, 3)
      const url = await urlOf(moved.database)
      const [backUp = '', restore = '', serve = ''] = lines.map((line) => line.replaceAll(DATABASE, url))
      const env = { CAMPUS_DATA: school.config.data }
      // The database that is left.
      const first = await outcomeOf(type(backUp, { ...env, DATABASE_URL: await urlOf(school.database) }))
      assert.deepEqual([first.code, first.stderr], [0, ''])
      const second = await outcomeOf(type(restore, env))
      assert.deepEqual([second.code, second.stderr], [0, ''])
      await assertServes(serve.replace('campus serve', 'exec campus serve'), env)
    } finally {
      await moved.close()
    }
  })

  async function assertServes(line: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    const stop = await served(type(line, { ...env, CAMPUS_PORT: '0' }))
    await stop()
  }
})
