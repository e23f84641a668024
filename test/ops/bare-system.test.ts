import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('bare-system', import.meta.url))
const folder = join(tmpdir(), `campus-bare-test-${process.pid}`)

/** Runs the script with a folder that it must not make. */
function bareSystem(...words: readonly string[]) {
  const env = { ...process.env, BARE_FOLDER: folder }
  return spawnSync(SCRIPT, words, { encoding: 'utf8', env })
}

describe('test/ops/bare-system', () => {
  it('names its steps in a dry run, and makes nothing', () => {
    const { status, stdout } = bareSystem('--dry-run', 'trixie', '22', 'test/words.test.ts')
    assert.equal(status, 0)
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'Debian trixie with git and certificates, and the account student',
      'Node.js 22 with npm 10',
      'a clone of the last commit in /home/student/École 42/campus',
      'the mounts /proc and /dev',
      'npm ci',
      'npm test -- test/words.test.ts',
    ])
    assert.equal(existsSync(folder), false)
  })

  it('runs the whole suite on the oldest supported Node.js unless told otherwise', () => {
    const { stdout } = bareSystem('--dry-run')
    assert.match(stdout, /^Node\.js 20 with npm 10$/m)
    assert.match(stdout, /^npm test$/m)
  })

  it('says how it is called, and refuses an unknown option', () => {
    assert.match(bareSystem('--help').stdout, /^test\/ops\/bare-system \[--dry-run\]/)
    assert.equal(bareSystem('--dryrun').status, 2)
    assert.equal(existsSync(folder), false)
  })
})
