import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { MAIN, outcomeOf } from '@campus/test/support/run-campus'

const NOBODY = 65_534

it('commands name a file or folder that their account may not use, instead of reporting it as missing', async (context) => {
  const { path, remove } = await temporaryFolder()
  const [closed, sealed, inside] = [join(path, 'closed'), join(path, 'sealed.campus'), join(path, 'closed/a.campus')]
  await mkdir(closed)
  for (const file of [sealed, inside]) await writeFile(file, '')
  await chmod(path, 0o755)
  await chmod(sealed, 0)
  await chmod(closed, 0)
  context.after(async () => {
    await chmod(closed, 0o700)
    await remove()
  })
  const ids = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const refused = async (...words: readonly string[]) => {
    const env = { CAMPUS_DATA: join(path, 'data') }
    const child = spawn(process.execPath, [MAIN, ...words], { ...ids, cwd: '/', env })
    const { code, stdout, stderr } = await outcomeOf(child)
    assert.deepEqual([code, stdout], [1, ''])
    return stderr.replace(/^The (account|user) \S+ /, '')
  }
  assert.match(await refused('restore', sealed, '--check'), /^may not read .*sealed\.campus\. Let it read the file/)
  assert.match(await refused('restore', inside, '--check'), /^may not enter a folder of .*closed\/a\.campus\./)
  assert.match(await refused('backup', inside), /^may not enter a folder of .*closed\/a\.campus\./)
  await chmod(closed, 0o555)
  assert.match(
    await refused('backup', join(closed, 'b.campus')),
    /^may not write to the folder .*closed\. Name a file in another folder/,
  )
})
