import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApplication } from '@campus/test/support/application'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { builderOf } from '@campus/test/support/row-builder'
import { observeCampus } from './observe-campus.ts'
import type { Observed } from './observe-process.ts'

/** Modules that only requests about files, pictures, webhooks, metrics, the reference or the demonstration need. */
const SELDOM_NEEDED = [
  ...['@aws-sdk/client-s3', '@faker-js/faker', '@hyzyla/pdfium', 'sharp', 'file-type', 'undici', 'prom-client'],
  ...['@redis/client', 'marked', 'openid-client', 'qrcode', 'selfsigned', 'listr2', 'standardwebhooks'],
  ...['nodemailer', 'acme-client', 'cli-table3', '@bomb.sh/tab', 'pino-pretty', '@opentelemetry/api'],
]

/** Files of optional parts that say where a part is mounted, and the counter of an interface that nobody has called yet. */
const DECLARATIONS =
  /^(\w+\/part|archive\/settings|demo\/(credentials-path|like-the-network)|reference\/console\/index|assistants\/mcp\/(path|metrics))\.ts$/

/** On each new connection, of which there are more where statements meet, and by what looks for work. */
const ASKED_AGAIN =
  /^select 'listening'|^set timezone|from change_epoch|compact_counts|first\.due_at|skip locked|from pdf_jobs|from captured_tables$|from "(webhooks|endpoints)" (inner join "applications" on .* )?where "active"|from "logout_notices"/

describe('on a database that is in use', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: TestDatabase
  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
    await database.transaction((tx) => createApplication(tx, { name: 'Cluster map' }))
    await builderOf(database).user()
    await observe(['serve']) // Makes the certificate and the keys.
  })
  after(async () => {
    await database?.close()
    await folder.remove()
  })

  async function observe(words: readonly string[]): Promise<Observed> {
    const { outcome, observed } = await observeCampus({
      words,
      folder: folder.path,
      env: { DATABASE_URL: database.url },
    })
    assert.deepEqual({ code: outcome.code, stderr: outcome.stderr }, { code: 0, stderr: '' })
    return observed
  }

  const loaded = ({ packages }: Observed) => SELDOM_NEEDED.filter((name) => packages.includes(name))

  it('a start loads nothing that only few requests need, and asks little of the database', async () => {
    const start = await observe(['serve'])
    assert.deepEqual(loaded(start), [])
    assert.ok(start.packages.includes('fastify'), 'packages are seen')
    assert.ok(start.parts.includes('mirror/part.ts'), 'parts are seen')
    assert.deepEqual(
      start.parts.filter((file) => !DECLARATIONS.test(file)),
      [],
      'parts only declare',
    )
    // Also those of its heartbeat and its end, but not what it asks again and again, whose number depends on the time.
    const statements = start.statements.filter((statement) => !ASKED_AGAIN.test(statement))
    assert.ok(statements.length > 5 && statements.length <= 22, statements.join('\n---\n'))
  })

  it('a command loads no server, and asks little of the database', async () => {
    const command = await observe(['app', 'list', '--json'])
    assert.deepEqual(loaded(command), [])
    assert.ok(command.packages.includes('kysely'), 'packages are seen')
    assert.ok(!command.packages.includes('fastify'))
    assert.ok(command.statements.length > 3 && command.statements.length <= 13, command.statements.join('\n---\n'))
  })

  it('help loads no database', async () => {
    const { packages } = await observe(['deliveries', '--help'])
    assert.ok(packages.includes('commander'), 'packages are seen')
    assert.deepEqual(
      packages.filter((name) => name === 'kysely' || name === 'listr2'),
      [],
    )
  })
})
