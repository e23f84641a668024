import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseOfEncoding } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { runCommand } from '@campus/test/support/run-command'

for (const encoding of ['LATIN1', 'SQL_ASCII'])
  test(`a database in ${encoding} is refused, and the message asks for UTF8`, async (t) => {
    const folder = await temporaryFolder()
    t.after(folder.remove)
    const { url, close } = await databaseOfEncoding(encoding)
    t.after(close)
    for (const words of [['migrate'], ['user', 'list'], ['backup', `${folder.path}/school.campus`]]) {
      const { code, stderr } = await runCommand(words, { CAMPUS_DATA: folder.path, DATABASE_URL: url })
      assert.match(stderr, new RegExp(`^DATABASE_URL must name a database with the encoding UTF8; .* ${encoding}\\.`))
      assert.equal(code, 1)
    }
  })
