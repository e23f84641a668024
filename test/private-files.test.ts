import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { chmod, chown, lstat, mkdir, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test'
import { ConfigError } from '@campus/engine/base/config-error'
import { claimDataFolder, makePrivateFolder, writePrivateFile } from '@campus/engine/base/private-files'
import { FolderInUse, takeLock } from '@campus/engine/database/embedded/folder-lock'
import { giveCluster } from './support/clusters.ts'
import { temporaryFolder } from './support/folder.ts'
import { freePort } from './support/free-port.ts'

const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const NOT_ROOT = isRoot ? false : 'SKIPPED: other accounts are tried by root alone'

describe('a data folder that was there before', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let data: string
  beforeEach(async () => {
    folder = await temporaryFolder()
    data = join(folder.path, "the school's data")
    await mkdir(data)
    await chmod(folder.path, 0o755)
    await chmod(data, 0o755)
  })
  afterEach(() => folder.remove())

  const modeOf = async (...names: string[]) => ((await lstat(join(data, ...names))).mode & 0o777).toString(8)

  /** Refused with a command, which mends it. */
  async function isMended(by: RegExp): Promise<void> {
    let command = ''
    await assert.rejects(claimDataFolder(data), (error: Error) => {
      assert.ok(error instanceof ConfigError, error.stack)
      assert.match(error.message, by)
      command = /: (ch(?:mod|own) .*)$/.exec(error.message)?.[1] ?? ''
      return true
    })
    assert.equal(spawnSync('/bin/sh', ['-c', command]).status, 0, command)
    await claimDataFolder(data)
    assert.equal(await modeOf(), '700')
  }

  it('is closed to others, with all that lies in it', async () => {
    await mkdir(join(data, 'tls'))
    await chmod(join(data, 'tls'), 0o755)
    for (const name of ['secret.key', 'campus.lock', 'campus.lock.sqlite']) {
      await writeFile(join(data, name), '')
      await chmod(join(data, name), 0o644)
    }
    const lock = await takeLock(data, 'test')
    assert.equal(await modeOf(), '700')
    assert.equal(await modeOf('tls'), '700')
    for (const name of ['secret.key', 'campus.lock', 'campus.lock.sqlite'])
      assert.equal(await modeOf(name), '600', name)
    await lock.release()
  })

  it('has a lock that only its owner may open, whatever the mask of new files', async () => {
    const mask = process.umask(0)
    try {
      const lock = await takeLock(data, 'test')
      assert.equal(await modeOf('campus.lock.sqlite'), '600')
      await lock.release()
    } finally {
      process.umask(mask)
    }
  })

  it('keeps what a link in it leads to as it is', async () => {
    const elsewhere = join(folder.path, 'shared')
    await writeFile(elsewhere, '')
    await chmod(elsewhere, 0o644)
    await symlink(elsewhere, join(data, 'link'))
    await claimDataFolder(data)
    assert.equal((await stat(elsewhere)).mode & 0o777, 0o644)
  })

  it('is refused where a group or anybody may write to it, with the command that mends it', async () => {
    for (const mode of [0o775, 0o757, 0o777]) {
      await chmod(data, mode)
      await isMended(/^Others may write to the folder /)
    }
  })

  it('is refused where anybody may put another in its place, but in a folder such as /tmp', async () => {
    await chmod(folder.path, 0o1777)
    await claimDataFolder(data)
    await chmod(folder.path, 0o777)
    await isMended(/^Anybody may write to /)
  })

  it('is refused where it belongs to somebody else, with the command that mends it', { skip: NOT_ROOT }, async () => {
    await chown(data, NOBODY, NOBODY)
    await writeFile(join(data, 'planted'), '')
    await isMended(/ belongs to the account with the id 65534, and campus runs as 0\. /)
    assert.equal((await stat(join(data, 'planted'))).uid, 0)
  })

  it('cannot be held by another account, so that a start is not prevented', { skip: NOT_ROOT }, async () => {
    const lock = await takeLock(data, 'test')
    const hold = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('begin immediate')`
    const other = spawn('setpriv', [
      ...[`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', process.execPath],
      ...['-e', hold, join(data, 'campus.lock.sqlite')],
    ])
    const [code] = await once(other, 'exit')
    assert.notEqual(code, 0)
    await lock.release()
  })

  it('of a service that runs as another account is left alone by root, who uses its database', {
    skip: NOT_ROOT,
  }, async () => {
    const holder = { pid: process.pid, command: 'serve', url: 'postgres://somewhere' }
    await writeFile(join(data, 'campus.lock'), JSON.stringify(holder))
    await chown(data, NOBODY, NOBODY)
    await assert.rejects(takeLock(data, 'app create'), (error: Error) => {
      assert.ok(error instanceof FolderInUse)
      assert.deepEqual(error.holder, holder)
      return true
    })
    assert.equal(await readFile(join(data, 'campus.lock'), 'utf8'), JSON.stringify(holder))
  })
})

describe('any other folder of ours', () => {
  it('is closed where it is there, and refused where it is not ours alone', async () => {
    const folder = await temporaryFolder()
    const path = join(folder.path, 'files')
    await mkdir(path)
    await chmod(path, 0o755)
    await makePrivateFolder(path)
    assert.equal((await stat(path)).mode & 0o777, 0o700)
    await chmod(path, 0o770)
    await assert.rejects(makePrivateFolder(path), /Others may write to the folder/)
    await folder.remove()
  })
})

describe('a folder that many calls make at the same time', () => {
  it('is made with its parents, and no call fails', async () => {
    const folder = await temporaryFolder()
    for (let round = 0; round < 20; round += 1) {
      const path = join(folder.path, String(round), 'files', 'incoming')
      await Promise.all(Array.from({ length: 20 }, () => makePrivateFolder(path)))
      assert.ok((await stat(path)).isDirectory())
    }
    await folder.remove()
  })
})

describe('a file that a command writes', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => folder.remove())

  const write = (path: string) => writePrivateFile(path, (stream) => pipeline(['whole'], stream))

  it("is its owner's, whatever lies at its name for the time being: a link, an open file, one of a killed command", async () => {
    const path = join(folder.path, 'school.campus')
    const victim = join(folder.path, 'victim')
    await writeFile(victim, 'untouched')
    const laid = [
      () => symlink(victim, `${path}.part`),
      () => writeFile(`${path}.part`, 'left', { mode: 0o666 }),
      () => symlink(victim, path),
    ]
    for (const lay of laid) {
      await lay()
      await write(path)
      assert.equal(await readFile(path, 'utf8'), 'whole')
      const { mode } = await lstat(path)
      assert.equal((mode & 0o777).toString(8), '600')
      assert.equal(await readFile(victim, 'utf8'), 'untouched')
      await rm(path)
    }
  })

  it('fails with the reason if it cannot be written or was removed meanwhile', async () => {
    const missing = join(folder.path, 'missing/school.campus')
    await assert.rejects(write(missing), {
      message: `${missing} cannot be written: there is no such folder (ENOENT). Correct this, or use another path.`,
      code: 'ENOENT',
    })
    const path = join(folder.path, 'school.campus')
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    })
    const source = join(folder.path, 'source')
    await assert.rejects(
      writePrivateFile(path, (stream) => pipeline(createReadStream(source), stream)),
      { message: `ENOENT: no such file or directory, open '${source}'` },
    )
    await assert.rejects(
      writePrivateFile(path, () => Promise.reject(full)),
      {
        message: `${path} cannot be written: the disk is full (ENOSPC). Correct this, or use another path.`,
        code: 'ENOSPC',
      },
    )
    await assert.rejects(
      writePrivateFile(path, () => rm(`${path}.part`)),
      { message: `${path}.part was removed while it was written. Write ${path} again.` },
    )
    assert.deepEqual(await readdir(folder.path), [])
  })

  it('is not there where writing it failed', async () => {
    const path = join(folder.path, 'school.campus')
    await assert.rejects(
      writePrivateFile(path, () => Promise.reject(new Error('no more'))),
      /no more/,
    )
    assert.deepEqual(await readdir(folder.path), [])
  })
})

describe('a file that two processes write at the same time', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => folder.remove())

  /** Writes the text twice. The second time waits for `rest`. */
  const begin = (path: string, text: string, rest: Promise<unknown>) => {
    const begun = Promise.withResolvers<void>()
    async function* halves() {
      yield text
      begun.resolve()
      await rest
      yield text
    }
    const done = writePrivateFile(path, (stream) => pipeline(halves, stream)).then(
      () => 'whole',
      (error) => (error instanceof ConfigError ? 'refused' : String(error)),
    )
    return { done, begun: begun.promise }
  }

  it('has the content of the process that began last, and gets its name only when it is complete', async () => {
    const path = join(folder.path, 'file')
    const [firstRest, secondRest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = begin(path, 'first', firstRest.promise)
    await first.begun
    const second = begin(path, 'second', secondRest.promise)
    await second.begun
    firstRest.resolve()
    assert.equal(await first.done, 'refused')
    assert.deepEqual(await readdir(folder.path), ['file.part'])
    secondRest.resolve()
    assert.equal(await second.done, 'whole')
    assert.deepEqual([await readdir(folder.path), await readFile(path, 'utf8')], [['file'], 'secondsecond'])
  })

  it('is neither removed nor replaced by a process that began before', async () => {
    const path = join(folder.path, 'file')
    const [firstRest, secondRest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = begin(path, 'first', firstRest.promise)
    await first.begun
    const second = begin(path, 'second', secondRest.promise)
    await second.begun
    firstRest.reject(new Error('no room'))
    assert.equal(await first.done, 'Error: no room')
    const thirdRest = Promise.withResolvers<void>()
    assert.deepEqual(await readdir(folder.path), ['file.part'])
    const third = begin(path, 'third', thirdRest.promise)
    await third.begun
    thirdRest.resolve()
    assert.equal(await third.done, 'whole')
    secondRest.resolve()
    assert.equal(await second.done, 'refused')
    assert.deepEqual([await readdir(folder.path), await readFile(path, 'utf8')], [['file'], 'thirdthird'])
  })
})

describe('compiled code', () => {
  it('is not read where others may have written it', { skip: NOT_ROOT }, async () => {
    const folder = await temporaryFolder()
    const cache = join(folder.path, 'cache')
    await mkdir(cache)
    const used = () => {
      const script = `import { getCompileCacheDir } from 'node:module'
        import { cacheCode } from ${JSON.stringify(new URL('../intranet/server/cache-code.ts', import.meta.url).href)}
        cacheCode({ data: process.argv[1] })
        console.log(getCompileCacheDir() !== undefined)`
      const words = ['--input-type=module', '-e', script, folder.path]
      const env = { PATH: process.env.PATH }
      return spawnSync(process.execPath, words, { encoding: 'utf8', env }).stdout.trim()
    }
    await chmod(folder.path, 0o755)
    assert.equal(used(), 'true')
    for (const path of [folder.path, cache]) {
      await chmod(path, 0o777)
      assert.equal(used(), 'false', path)
      await chmod(path, 0o700)
      await chown(path, NOBODY, NOBODY)
      assert.equal(used(), 'false', path)
      await chown(path, 0, 0)
    }
    await folder.remove()
  })
})

describe('whatever a service makes', () => {
  it("is its owner's alone, also where the mask of new files lets everybody in", async (t) => {
    const folder = await temporaryFolder()
    const data = join(folder.path, 'data')
    await giveCluster(data, 'empty')
    const env = { PATH: process.env.PATH, CAMPUS_DATA: data, CAMPUS_PORT: String(await freePort()) }
    const script = `umask 0; exec "${process.execPath}" service/main.ts serve --empty`
    const child = spawn('/bin/sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(async () => {
      child.kill('SIGKILL')
      await folder.remove()
    })
    for await (const text of child.stdout.setEncoding('utf8')) if (text.includes('Ctrl-C stops it.')) break
    const open: string[] = []
    for (const name of await readdir(data, { recursive: true })) {
      const found = await lstat(join(data, name)).catch(() => undefined)
      if (found && !found.isSymbolicLink() && found.mode & 0o077) open.push(name)
    }
    assert.deepEqual(open, [])
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
})

describe('a file on a network file system', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => folder.remove())

  /** Lets the folder be synced as the file system does that has this error. Files are synced as ever. */
  async function failToSync(t: TestContext, code: string): Promise<void> {
    const handle = await open(folder.path)
    const prototype = Object.getPrototypeOf(handle)
    await handle.close()
    const { sync } = prototype
    t.mock.method(prototype, 'sync', async function (this: typeof handle) {
      if ((await this.stat()).isDirectory()) throw Object.assign(new Error(`${code}: fsync`), { code })
      return sync.call(this)
    })
  }

  const write = (path: string) =>
    writePrivateFile(path, async (stream) => {
      await pipeline(['whole'], stream)
    })

  it('is written if the file system cannot sync folders', async (t) => {
    for (const code of ['EINVAL', 'ENOTSUP']) {
      await failToSync(t, code)
      const path = join(folder.path, code)
      await write(path)
      assert.equal(await readFile(path, 'utf8'), 'whole')
      t.mock.restoreAll()
    }
  })

  it('is not said to be written if the disk fails when its folder is synced', async (t) => {
    await failToSync(t, 'EIO')
    await assert.rejects(write(join(folder.path, 'a')), /EIO/)
  })
})
