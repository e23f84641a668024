import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '@campus/engine/base/caught'
import { campus, type World } from '../support/campus.ts'
import type { Client } from '../support/client.ts'
import { temporaryFolder } from '../support/folder.ts'
import { until } from '../support/until.ts'
import { attachmentForm, fileOf, filesOf } from '../support/uploads.ts'
import { type Campus, emptyCampus, type ServerProcess } from './server-process.ts'

const MIB = 1_048_576

/** A file system of its own, as small as that; undefined where this user may not mount one. */
async function smallDisk(mebibytes: number) {
  const folder = await temporaryFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder.path])
  if (mounted.status !== 0) {
    await folder.remove()
    return undefined
  }
  const filler = join(folder.path, 'filler')
  const free = () => rm(filler)
  return {
    path: folder.path,
    /** Fills the disk up to `left` free bytes. */
    fill: (left: number) =>
      until(async () => {
        const { bavail, bsize } = await statfs(folder.path)
        try {
          await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)))
          return true
        } catch (error) {
          // The database has written since `statfs`.
          if (codeOf(error) !== 'ENOSPC') throw error
          await free()
          return false
        }
      }),
    free,
    async remove() {
      spawnSync('umount', ['--lazy', folder.path]) // A database may still have files open.
      await folder.remove()
    },
  }
}

const NO_MOUNT = 'SKIPPED: this user may not mount a small file system (run as root)'

describe('a full disk', () => {
  it('refuses an upload with 503, keeps nothing of it, and takes it when there is room', async (t) => {
    const disk = await smallDisk(8)
    if (!disk) return t.skip(NO_MOUNT)
    const world: World = await campus({ env: { CAMPUS_FILES: join(disk.path, 'files') } })
    try {
      const project = await world.build.record('projects', { name: 'Libft', slug: 'libft' })
      const send = () => {
        const element = {
          name: 'a',
          attachable_type: 'document',
          document: fileOf(Buffer.alloc(4 * MIB, 'x'), 'a.txt'),
        }
        return world.director.post(`/v2/projects/${project}/attachments`, attachmentForm({ kind: 'document' }, element))
      }
      await disk.fill(MIB)
      const { status, json } = await send()
      assert.deepEqual(
        [status, json.message],
        [503, 'There is no room for the file right now; nothing of it was kept.'],
      )
      assert.deepEqual([await filesOf(world), (await world.visitor.get('/v2/attachments')).json], [[], []])
      await disk.free()
      assert.equal((await send()).status, 201)
      assert.equal((await filesOf(world)).length, 1)
    } finally {
      await world.close()
      await disk.remove()
    }
  })

  it('keeps a reserve of 5 % free of uploads', async (t) => {
    const disk = await smallDisk(64)
    if (!disk) return t.skip(NO_MOUNT)
    const world: World = await campus({ env: { CAMPUS_FILES: join(disk.path, 'files') } })
    try {
      await world.build.record('projects', { name: 'Libft', slug: 'libft' })
      const send = (mebibytes: number) => {
        const document = fileOf(randomBytes(mebibytes * (MIB / 2)).toString('hex'), 'a.txt')
        const element = { name: 'a', attachable_type: 'document', document }
        return world.director.post('/v2/projects/libft/attachments', attachmentForm({ kind: 'document' }, element))
      }
      const reserve = 0.05 * 64 * MIB
      await disk.fill(12 * MIB)
      assert.equal((await send(20)).status, 503, 'a file that would take the reserve')
      assert.deepEqual(await filesOf(world), [])
      const statuses: number[] = []
      while (statuses.at(-1) !== 503 && statuses.length < 12) statuses.push((await send(1)).status)
      const stored = statuses.filter((status) => status === 201).length
      assert.ok(stored >= 8 && stored < statuses.length, String(statuses))
      assert.equal((await filesOf(world)).length, stored)
      const { bavail, bsize } = await statfs(disk.path)
      assert.ok(bavail * bsize > reserve - 1.5 * MIB, `${bavail * bsize} bytes are free`)
      await disk.free()
      assert.equal((await send(1)).status, 201)
    } finally {
      await world.close()
      await disk.remove()
    }
  })

  describe('of the embedded database', () => {
    let disk: NonNullable<Awaited<ReturnType<typeof smallDisk>>>
    let campus: Campus
    let server: ServerProcess
    let client: Client
    let retained: string[]

    async function start(t: TestContext, mebibytes = 160): Promise<boolean> {
      const made = await smallDisk(mebibytes)
      if (!made) {
        t.skip(NO_MOUNT)
        return false
      }
      disk = made
      campus = await emptyCampus({ database: 'embedded', env: { CAMPUS_DATA: join(disk.path, 'data') } })
      server = await campus.start()
      client = await campus.caller()
      retained = []
      assert.equal(await write(), 201)
      return true
    }

    async function write(): Promise<number> {
      const name = `project ${retained.length}`
      const description = randomBytes(30_000).toString('hex')
      const { status, text } = await client.post('/v2/projects', { project: { name, description } })
      assert.ok(status === 201 || status === 503, `${status} ${text}`)
      if (status === 201) retained.push(name)
      return status
    }

    /** Frees the disk; from then on everything works, and nothing is lost. */
    async function recover(): Promise<void> {
      await disk.free()
      while ((await write()) === 503) await wait(50)
      const { json } = await client.get('/v2/projects?sort=id&per_page=100')
      assert.deepEqual(
        json.map(({ name }: { name: string }) => name),
        retained,
      )
      server.child.kill('SIGTERM')
      assert.equal((await server.outcome).code, 0)
    }

    async function remove(): Promise<void> {
      await campus.remove()
      await disk.remove()
    }

    it('refuses uploads with 503 while other writes succeed', async (t) => {
      if (!(await start(t, 400))) return
      try {
        await disk.fill(30 * MIB)
        const upload = async (bytes: number) => {
          const document = fileOf(randomBytes(bytes / 2).toString('hex'), 'a.txt')
          const element = { name: 'a', attachable_type: 'document', document }
          const form = attachmentForm({ kind: 'document' }, element)
          return (await client.post('/v2/projects/project-0/attachments', form)).status
        }
        const statuses: number[] = []
        for (const bytes of [2 * MIB, 65_536, 4_096])
          do statuses.push(await upload(bytes))
          while (statuses.at(-1) === 201)
        assert.deepEqual(new Set(statuses), new Set([201, 503]))
        for (let at = 0; at < 40; at += 1) assert.equal(await write(), 201)
        assert.equal(await upload(4_096), 503)
        await recover()
      } finally {
        await remove()
      }
    })

    it('is answered 503 where a table cannot grow, and the service goes on when there is room', async (t) => {
      if (!(await start(t))) return
      try {
        await disk.fill(0)
        while ((await write()) === 201);
        await recover()
      } finally {
        await remove()
      }
    })

    it('is answered 503 where the log of writes cannot grow, which ends the database, and the service goes on', async (t) => {
      if (!(await start(t))) return
      try {
        await disk.fill(12 * MIB)
        const database = await campus.openDatabase()
        await assert.rejects(async () => {
          for (;;) await database.rows("select pg_logical_emit_message(true, '', repeat('x', 10000000))")
        })
        await database.close()
        assert.match(await readFile(join(disk.path, 'data', 'postgresql.log'), 'utf8'), /PANIC/)
        assert.equal(await write(), 503)
        await recover()
      } finally {
        await remove()
      }
    })
  })
})
