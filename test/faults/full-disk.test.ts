import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isDatabaseAway, isDatabaseFull, openDatabase } from '../../src/database/database.ts'
import { campus, type World } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'
import { attachmentForm, fileOf, filesOf } from '../support/uploads.ts'

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
  return {
    path: folder.path,
    /** Leaves so much room. */
    async fill(left: number) {
      const { bavail, bsize } = await statfs(folder.path)
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)))
    },
    free: () => rm(filler),
    async remove() {
      spawnSync('umount', [folder.path])
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

  // With no room at all a table cannot grow; with a little the journal cannot, which ends the database's thread.
  for (const left of [0, 14 * MIB]) {
    it(`with ${left / MIB} MiB left fails writes of the embedded database, which goes on when there is room`, async (t) => {
      const disk = await smallDisk(100)
      if (!disk) return t.skip(NO_MOUNT)
      const folder = join(disk.path, 'database')
      await mkdir(folder)
      const database = await openDatabase({ folder })
      try {
        await database.rows('create table notes (text text)')
        const write = () => database.rows('insert into notes values ($1)', [randomBytes(40_000).toString('base64')])
        await disk.fill(left)
        let written = 0
        await assert.rejects(
          async () => {
            for (; written < 1000; written += 1) await write()
          },
          (error) => isDatabaseFull(error) || isDatabaseAway(error),
        )
        await disk.free()
        const [row] = await database.rows('select count(*) from notes')
        assert.equal(Number(row?.[0]), written)
        await write()
      } finally {
        await database.close()
        await disk.remove()
      }
    })
  }
})
