import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase } from '@campus/test/support/database'
import { speaksFrench } from '@campus/test/support/database-server'

const SKIP = speaksFrench() ? false : 'SKIPPED: no French on this machine (localedef -i fr_FR -f UTF-8 fr_FR.UTF-8)'

test('the oldest server speaks French, so that no test of refusals depends on English', { skip: SKIP }, async () => {
  const database = await emptyDatabase()
  const [[version = ''] = []] = await database.rows('show server_version_num')
  const isOldest = Number(version) < 160_000
  const { message } = await database.rows('select * from absent').then(
    () => ({ message: '' }),
    (error: Error) => error,
  )
  assert.match(message, isOldest ? /la relation « absent » n'existe pas/ : /relation "absent" does not exist/)
  await database.close()
})
