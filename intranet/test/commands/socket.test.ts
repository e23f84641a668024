/** `campus serve` on a Unix socket, for a proxy that ends TLS. */
import assert from 'node:assert/strict'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Campus, emptyCampus, kill } from '@campus/test/faults/server-process'
import { temporaryFolder } from '@campus/test/support/folder'
import { runCampus } from '@campus/test/support/run-campus'
import { runCommand } from '@campus/test/support/run-command'
import { Agent, request } from 'undici'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let path: string
before(async () => {
  folder = await temporaryFolder()
  path = join(folder.path, 'http.sock')
})
after(() => folder.remove())

async function health(): Promise<number> {
  const agent = new Agent({ connect: { socketPath: path } })
  const { statusCode, body } = await request('http://campus/health', { dispatcher: agent })
  await body.dump()
  await agent.destroy()
  return statusCode
}

const modeOf = async () => ((await stat(path)).mode & 0o777).toString(8)

for (const processes of ['1', '2']) {
  describe(`campus serve --processes ${processes} on a socket`, () => {
    let campus: Campus
    before(async () => {
      const env = { CAMPUS_SOCKET: path, CAMPUS_BASE_URL: 'https://campus.example', CAMPUS_PROCESSES: processes }
      campus = await emptyCampus({ database: 'shared', env })
    })
    after(() => campus.remove())

    test('lets in whom its mode names, and says where it is', async () => {
      const killed = await campus.start()
      assert.equal(await health(), 200)
      assert.equal(await modeOf(), '660')
      assert.equal((await runCommand(['health'], campus.env)).stdout, `The service at unix:${path} is well.\n`)
      assert.deepEqual(JSON.parse((await runCommand(['health', '--json'], campus.env)).stdout), { status: 'ok' })
      await kill(killed)
      assert.deepEqual(await readdir(folder.path), ['http.sock'])
      assert.match(
        (await killed.outcome).stdout,
        /^Campus Intranet serves https:\/\/campus\.example\nby way of a proxy, .* at unix:\/.*\/http\.sock$/m,
      )
    })

    test('takes the place of one that was killed, and of none that lives, and leaves nothing behind', async () => {
      const living = await campus.start({ CAMPUS_SOCKET_MODE: '666' })
      assert.equal(await health(), 200)
      assert.equal(await modeOf(), '666')
      const refused = await runCampus(['serve'], campus.env)
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /^CAMPUS_SOCKET must be a socket of its own; another program listens on /)
      assert.equal(await health(), 200)
      living.child.kill('SIGTERM')
      const { stderr, code } = await living.outcome
      assert.deepEqual({ stderr, code }, { stderr: '', code: 0 })
      assert.deepEqual(await readdir(folder.path), [])
      const { code: later, stderr: why } = await runCommand(['health'], campus.env)
      assert.equal(later, 1)
      assert.match(why, /^The service at unix:.* does not answer \(ENOENT\)\.$/m)
    })

    test('removes no other file, and says where it may not write', async () => {
      const other = join(campus.env.CAMPUS_DATA ?? '', 'a file')
      await writeFile(other, 'mine')
      const refused = await runCampus(['serve'], { ...campus.env, CAMPUS_SOCKET: other })
      assert.deepEqual([refused.code, refused.stderr.split(';')[0]], [1, 'CAMPUS_SOCKET must be a path of its own'])
      const nowhere = await runCampus(['serve'], {
        ...campus.env,
        CAMPUS_SOCKET: join(folder.path, 'nowhere/http.sock'),
      })
      assert.equal(nowhere.code, 1)
      assert.match(nowhere.stderr, /CAMPUS_SOCKET must be in a folder that this user may write to/)
    })
  })
}
