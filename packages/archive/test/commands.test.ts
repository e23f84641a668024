import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { tryAdvisoryLock } from '@campus/engine/database/advisory-lock'
import { MARKER_TABLE, setRestoreMarker } from '@campus/engine/database/restore-marker'
import { FIRST_START_LOCK } from '@campus/intranet/server/first-start'
import { outcomeOf, runCampus, startCampus } from '@campus/test/support/run-campus'
import { runCommand } from '@campus/test/support/run-command'
import { explained } from '../restore-command.ts'
import type { Installation } from './installation.ts'
import { emptyInstallation, smallSchool, urlOf } from './small-school.ts'

const PASSPHRASE = 'open sesame, please'

describe('campus backup and campus restore', () => {
  let school: Installation
  let target: Installation
  let file: string
  let passphrase: string
  before(async () => {
    school = await smallSchool()
    target = await emptyInstallation()
    file = join(school.config.data, 'school.campus')
    passphrase = join(school.config.data, 'passphrase')
    await writeFile(passphrase, `${PASSPHRASE}\n`)
  })
  after(async () => {
    await school.close()
    await target.close()
  })

  const envOf = async ({ config, database }: Installation) => ({
    CAMPUS_DATA: config.data,
    DATABASE_URL: await urlOf(database),
    CAMPUS_BACKUP_PASSPHRASE_FILE: passphrase,
  })
  const campusOf = async (one: Installation, ...words: readonly string[]) => runCommand(words, await envOf(one))

  it('back up into a file, and say what is in it', async () => {
    const { code, stdout, stderr } = await campusOf(school, 'backup', file, '--json')
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    const { rows, key_id, ...result } = JSON.parse(stdout)
    assert.ok(rows > 10)
    assert.match(key_id, /^[0-9a-f]{16}$/)
    const whole = { files: 1, missing: [], damaged: [], delivery_secrets_left_out: 0 }
    assert.deepEqual(result, { file, encrypted: true, holds_key: true, ...whole })
  })

  it('back up to the standard output', async () => {
    const child = startCampus(['backup', '-'], await envOf(school))
    const bytes: Buffer[] = []
    child.stdout?.on('data', (chunk) => bytes.push(chunk))
    const [code] = await once(child, 'close')
    assert.equal(code, 0)
    assert.match(Buffer.concat(bytes).toString('latin1'), /^age-encryption\.org\/v1\n/)
  })

  it('leave no file that looks whole where a backup was killed', async () => {
    const killed = join(school.config.data, 'killed.campus')
    const child = startCampus(['backup', killed], await envOf(school))
    const ended = outcomeOf(child)
    while (!(await readdir(school.config.data)).includes('killed.campus.part')) await setTimeout(5)
    child.kill('SIGKILL')
    const { signal } = await ended
    const names = await readdir(school.config.data)
    if (signal === 'SIGKILL') assert.ok(!names.includes('killed.campus'))
  })

  it('refuse a passphrase together with a key of age, since one of them would be ignored', async () => {
    for (const words of [
      ['backup', `${file}.both`, '--for', 'age1', '--passphrase-file', passphrase],
      ['restore', file, '--check', '--identity', passphrase, '--passphrase-file', passphrase],
    ]) {
      const { code, stderr } = await campusOf(school, ...words)
      assert.equal(code, 1)
      assert.match(stderr, /'--(for|identity) <\w+>' cannot be used with option '--passphrase-file <file>'/)
    }
    assert.equal(existsSync(`${file}.both`), false)
  })

  it('check an archive without a database', async () => {
    const { code, stdout } = await campusOf(target, 'restore', file, '--check')
    assert.equal(code, 0)
    assert.match(stdout, /^It is whole: made at .* by version \d+\.\d+\.\d+\.\nIt holds the key of its secrets\.\n$/)
  })

  it('say in one line what is wrong with an archive', async () => {
    await writeFile(`${file}.cut`, (await readFile(file)).subarray(0, -100))
    const { code, stdout, stderr } = await campusOf(target, 'restore', `${file}.cut`)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^.*school\.campus\.cut was not restored\. It is (not whole|damaged).*\n$/)
    assert.deepEqual(await readdir(target.config.data), [])
  })

  it('begin anew after a restore that was killed, and let no server fill the database meanwhile', async () => {
    const env = await envOf(target)
    const child = startCampus(['restore', file], env)
    const ended = outcomeOf(child)
    while (!(await isMarked(target))) await setTimeout(5)
    child.kill('SIGKILL')
    await ended
    const serving = await runCampus(['serve', '--empty', '--port', '0'], env)
    assert.equal(serving.code, 1)
    assert.match(serving.stderr, /^The restore of .*school\.campus, begun at .*, has not ended/)
    const seeding = await campusOf(target, 'seed')
    assert.match(seeding.stderr, /has not ended/)
    const { code, stdout, stderr } = await campusOf(target, 'restore', file)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.equal(await isMarked(target), false)
    assert.match(stdout, /had not ended: began anew\.\nRestored \d+ rows and 1 files/)
    assert.deepEqual((await readdir(target.config.data)).sort(), ['files', 'secret.key'])
    assert.deepEqual(await target.database.rows('select count(*) from users'), [['2']])
  })

  it('give up a restore that was killed, but not one that is running', async () => {
    const one = await emptyInstallation()
    try {
      await setRestoreMarker(one.database.rows, file, new Date())
      assert.equal((await campusOf(one, 'migrate')).code, 1)
      await one.database.inBulk(async ({ kysely }) => {
        assert.ok(await tryAdvisoryLock(kysely, FIRST_START_LOCK))
        const { code, stderr } = await campusOf(one, 'restore', '--give-up')
        assert.equal(code, 1)
        assert.match(stderr, /^A restore or a first start is filling this database/)
        assert.equal(await isMarked(one), true)
      })
      assert.equal((await campusOf(one, 'restore', '--give-up')).code, 0)
      assert.equal((await campusOf(one, 'migrate')).code, 0)
    } finally {
      await one.close()
    }
  })

  it('say that a file cannot be what is named, before anything is made for it', async () => {
    const data = join(target.config.data, 'none')
    const refused = async (...words: readonly string[]) => (await runCommand(words, { CAMPUS_DATA: data })).stderr
    assert.equal(await refused('restore', `${file}.none`), `There is no file ${file}.none.\n`)
    const folder = school.config.data
    assert.equal(await refused('restore', folder, '--check'), `${folder} is a folder, not a file.\n`)
    assert.equal(await refused('backup', folder), `${folder} is a folder: name a file in it.\n`)
    assert.equal(await refused('backup', join(data, 'a/b.campus')), `There is no folder ${join(data, 'a')}.\n`)
    assert.equal(existsSync(data), false)
  })

  it('say of a disk that was full, of the database or of files, what is to be done', () => {
    for (const code of ['53100', 'ENOSPC']) {
      const full = Object.assign(new Error('No space left on device'), { code })
      const said = /^school\.campus was not restored\. There is no room for it: No space left on device\. Make room/
      assert.match((explained('school.campus', full) as Error).message, said)
    }
    const other = new Error('something else')
    assert.equal(explained('school.campus', other), other)
  })

  it('tell no passphrase', async () => {
    const { stdout, stderr } = await campusOf(school, 'restore', file)
    assert.match(stderr, /holds a school already/)
    assert.ok(!(stdout + stderr).includes(PASSPHRASE))
  })
})

async function isMarked({ database }: Installation): Promise<boolean> {
  const [row] = await database.rows('select to_regclass($1)', [MARKER_TABLE])
  if (!row?.[0]) return false
  const [mark] = await database.rows(`select from ${MARKER_TABLE}`)
  return mark !== undefined
}
