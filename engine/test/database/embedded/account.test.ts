import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readlinkSync, writeFileSync } from 'node:fs'
import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Holder, holdServer } from '@campus/test/support/embedded-server-process'
import { temporaryFolder } from '@campus/test/support/folder'
import pg from 'pg'

/*
 * PostgreSQL refuses to run as root. What stands in for a machine without user namespaces is a user namespace with all
 * accounts in it, in which the kernel allows no further ones; what stands in for one without other accounts, one with root alone.
 */

/** Root gets its rights in the namespace from a program that it starts when it has accounts there. */
const WHEN_MAPPED = 'read -r go && exec "$@"'
const NO_MORE = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
const WITHOUT_NAMESPACES = ['unshare', '--user', 'sh', '-c', WHEN_MAPPED, 'sh', 'sh', '-c', NO_MORE, 'sh']
const EVERYBODY = '0 0 65536'
const ROOT_ALONE = '0 0 1'

const NOBODY = 65534

function refusal(): string | false {
  if (process.getuid?.() !== 0) return 'SKIPPED: PostgreSQL runs as anybody but root, and this is not root'
  const { status } = spawnSync('unshare', ['--user', 'true'])
  return status === 0 ? false : 'SKIPPED: root may not make user namespaces here'
}

describe('for root the embedded server runs', { skip: refusal() }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let data: string
  const holders: Holder[] = []
  beforeEach(async () => {
    folder = await temporaryFolder()
    data = join(folder.path, 'data')
  })
  afterEach(async () => {
    for (const holder of holders.splice(0)) await holder.kill()
    await folder.remove()
  })

  function hold(options: object = {}): Holder {
    const holder = holdServer({ data, ...options })
    holders.push(holder)
    return holder
  }

  /** In a user namespace with these accounts, in which nobody can make another. */
  async function holdWithoutNamespaces(accounts: string, options: object = {}): Promise<Holder> {
    const holder = holdServer({ data, ...options }, WITHOUT_NAMESPACES)
    holders.push(holder)
    const namespaceOf = (pid: number | undefined) => readlinkSync(`/proc/${pid}/ns/user`)
    while (namespaceOf(holder.child.pid) === namespaceOf(process.pid)) await wait(5)
    for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${holder.child.pid}/${map}`, accounts)
    holder.child.stdin?.write('go\n')
    return holder
  }

  async function serves(holder: Holder): Promise<void> {
    const said = await holder.next()
    assert.ok(said.url, said.message)
    const client = new pg.Client({ connectionString: said.url })
    await client.connect()
    await client.query('create table if not exists notes (note text)')
    await client.end()
  }

  async function owners(): Promise<Set<number>> {
    const cluster = join(data, 'postgresql')
    const names = ['.', ...(await readdir(cluster, { recursive: true }))]
    return new Set(await Promise.all(names.map(async (name) => (await stat(join(cluster, name))).uid)))
  }

  it('in a user namespace, and the files stay root’s', async () => {
    await chmod(folder.path, 0o700)
    await serves(hold())
    assert.deepEqual(await owners(), new Set([0]))
    assert.equal((await stat(data)).mode & 0o777, 0o700)
  })

  it('as nobody where there are no user namespaces, and as nobody from then on', async () => {
    await chmod(folder.path, 0o755)
    const first = await holdWithoutNamespaces(EVERYBODY)
    await serves(first)
    assert.deepEqual(await owners(), new Set([NOBODY]))
    const { mode, uid, gid } = await stat(data)
    assert.deepEqual([(mode & 0o777).toString(8), uid, gid], ['710', 0, NOBODY])
    await first.end()
    await serves(hold())
    assert.deepEqual(await owners(), new Set([NOBODY]))
  })

  it('as the account that the operator names, to whom the database is given', async () => {
    await chmod(folder.path, 0o755)
    const first = hold()
    await serves(first)
    await first.end()
    await serves(hold({ account: 'daemon' }))
    const { uid } = await stat(join(data, 'postgresql'))
    assert.ok(uid > 0 && uid !== NOBODY)
    assert.deepEqual(await owners(), new Set([uid]))
  })

  it('not at all as an account that there is not, which a message says', async () => {
    const { name, message } = await hold({ account: 'no-such-account' }).next()
    assert.deepEqual(
      [name, message],
      ['ConfigError', 'CAMPUS_POSTGRES_ACCOUNT must name an account of this machine; "no-such-account" is none.'],
    )
  })

  it('not at all where neither way works, and a message says what would', async () => {
    const { name, message = '' } = await (await holdWithoutNamespaces(ROOT_ALONE)).next()
    assert.equal(name, 'ConfigError')
    for (const part of [
      'refuses to run as root',
      'nobody',
      'ordinary user',
      'CAMPUS_POSTGRES_ACCOUNT',
      'DATABASE_URL',
    ]) {
      assert.ok(message.includes(part), message)
    }
    assert.equal(message.split('\n').length, 1)
  })

  it('not at all in a folder that the account cannot enter, and a message names it', async () => {
    await chmod(folder.path, 0o700)
    const { name, message = '' } = await (await holdWithoutNamespaces(EVERYBODY)).next()
    assert.equal(name, 'ConfigError')
    assert.ok(message.includes(data), message)
  })
})
