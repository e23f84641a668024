import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createApplication } from '@campus/test/support/application'
import { builderOf } from '@campus/test/support/build'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { outcomeOf } from '@campus/test/support/run-campus'
import type { Observed } from './observe-process.ts'

const SOURCES = fileURLToPath(new URL('../../main.ts', import.meta.url))
const OBSERVER = new URL('./observe-process.ts', import.meta.url).href

/** What no request needs but those that are about files, pictures, webhooks, metrics, the reference or invented people. */
const SELDOM_NEEDED = [
  ...['@aws-sdk/client-s3', '@faker-js/faker', '@hyzyla/pdfium', 'sharp', 'file-type', 'undici', 'prom-client'],
  ...['@redis/client', 'marked', 'openid-client', 'qrcode', 'selfsigned', 'listr2', 'standardwebhooks'],
  ...['nodemailer', 'acme-client', 'cli-table3', '@bomb.sh/tab', 'pino-pretty', '@opentelemetry/api'],
]

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

  /** Runs `campus` from its sources; a server until it serves. */
  async function observe(words: readonly string[]): Promise<Observed> {
    const file = join(folder.path, 'observed.json')
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    const child = spawn(process.execPath, ['--import', OBSERVER, SOURCES, ...words], {
      env: {
        ...{ PATH, NODE_COMPILE_CACHE, OBSERVED: file, DATABASE_URL: database.url },
        ...{ CAMPUS_DATA: folder.path, CAMPUS_PORT: '0', CAMPUS_LOG_LEVEL: 'silent', CAMPUS_PROCESSES: '1' },
      },
    })
    child.stdout.on('data', (text) => {
      if (String(text).includes('Campus Intranet serves')) child.kill('SIGTERM')
    })
    const { code, stderr } = await outcomeOf(child)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    return JSON.parse(await readFile(file, 'utf8'))
  }

  const loaded = ({ packages }: Observed) => SELDOM_NEEDED.filter((name) => packages.includes(name))

  it('a start loads nothing that only few requests need, and asks little of the database', async () => {
    const start = await observe(['serve'])
    assert.deepEqual(loaded(start), [])
    assert.ok(start.packages.includes('fastify'), 'packages are seen')
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
