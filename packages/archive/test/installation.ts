import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Database } from '@campus/engine/database/database'
import { Staging } from '@campus/engine/http/staging'
import { loadTls } from '@campus/engine/http/tls'
import { issueToken } from '@campus/intranet/oauth/tokens'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { createApp } from '@campus/intranet/server/app/app'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import { findSecretKey, storeSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { type Config, readConfig } from '@campus/intranet/settings/config'
import { PARTS } from '@campus/service/parts'
import { createApplication } from '@campus/test/support/application'
import { runFolder } from '@campus/test/support/databases'
import { readsOf } from '@campus/test/support/every-read'
import { temporaryFolder } from '@campus/test/support/folder'
import { testClock } from '@campus/test/support/test-clock'
import type { Opening } from '../encryption.ts'
import { type Restored, restore } from '../restore.ts'
import { writeArchive } from '../write-archive.ts'

/** A database with the folder beside it, as an operator has them. */
export type Installation = {
  readonly config: Config
  readonly database: Database
  close(): Promise<void>
}

export const NOW = new Date('2026-03-02T10:00:00.000Z')
const LOCK = 1

type Opened = { readonly database: Database; close(): Promise<void> }

/** Puts a folder beside the database that `open` gives. */
export async function installation(open: (config: Config) => Promise<Opened>): Promise<Installation> {
  const folder = await temporaryFolder()
  const config = readConfig({ CAMPUS_DATA: folder.path, CAMPUS_LOG_LEVEL: 'silent', CAMPUS_TOKENS_PER_SECOND: '0' })
  const opened = await open(config)
  return {
    config,
    ...opened,
    async close() {
      await opened.close()
      await folder.remove()
    },
  }
}

/** Makes an archive of the installation. */
export async function backUpTo(file: string, { config, database }: Installation, passphrase?: string) {
  const closing = passphrase === undefined ? undefined : { passphrase }
  const secretKey = await findSecretKey(config)
  const source = { store: await openStore(config), secretKey, closing, now: NOW, progress: () => {} }
  return (await database.inBulk((connection) => writeArchive({ ...source, connection }, file))).manifest
}

export async function restoreFrom(
  file: string,
  { config, database }: Installation,
  opening?: Opening,
  { isTrial = false, withoutSecrets = false } = {},
): Promise<Restored> {
  return restore(file, {
    database,
    store: await openStore(config),
    staging: new Staging(join(config.files, 'incoming')),
    secretKey: await findSecretKey(config),
    adoptKey: async (key) => void (await storeSecretKey(config, key)),
    opening,
    storage: storageOfResources(),
    lock: LOCK,
    isTrial,
    withoutSecrets,
    now: NOW,
    progress: () => {},
  })
}

/** A token for everything that staff read, stored in the installation's database. */
export async function staffToken({ database }: Installation): Promise<string> {
  const application = await database.transaction((tx) =>
    createApplication(tx, {
      name: 'Reader of everything',
      scopes: ['public', 'projects', 'profile', 'elearning', 'tig', 'forum'],
      roles: ['Advanced Staff', 'Advanced Tutor'],
      rate_per_second: 1_000_000,
      rate_per_hour: 1_000_000,
    }),
  )
  const scopes = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']
  const issued = { applicationId: application.id, resourceOwnerId: null, scopes }
  return (await issueToken(database, testClock(NOW), issued)).token
}

/** Responses to every read by address: status, headers that depend on the record, and bytes. */
export type Answers = ReadonlyMap<string, string>

/** Asks a service on the installation, whose clock stands still, for every list, page by page as far as it has few, every record that addresses name, and every file. */
export async function readEverything(
  { config, database }: Installation,
  token: string,
  { everyQuery = false } = {},
): Promise<Answers> {
  const tls = await loadTls({ ...config, data: runFolder() })
  const app = await createApp({
    parts: PARTS,
    config,
    database,
    clock: testClock(NOW),
    tls,
    secretKey: await keyOf(config),
  })
  const answers = new Map<string, string>()
  const files: string[] = []
  const ask = async (path: string) => {
    const { statusCode, headers, rawPayload } = await app.inject({
      url: path,
      headers: { authorization: `Bearer ${token}`, host: 'localhost:8443' },
    })
    const reported = [headers.etag, headers.link, headers['x-total'], headers['content-type']]
    answers.set(path, `${statusCode} ${reported.join(' | ')} ${createHash('sha256').update(rawPayload).digest('hex')}`)
    return { headers, text: rawPayload.toString('utf8') }
  }
  const askJson = async (path: string) => JSON.parse((await ask(path)).text)
  try {
    const reads = await readsOf(await askJson('/v2/openapi.json'), askJson)
    for (const read of reads) {
      if (!everyQuery && /[?&](sort|filter|range|search)\b/.test(read)) continue
      const { headers, text } = await ask(read)
      for (const [address] of text.matchAll(/https:\/\/localhost:8443\/files\/[^"]+/g)) files.push(address)
      const total = Number(headers['x-total'] ?? 0)
      if (total <= 30 || read.includes('?')) continue
      for (const page of pagesOf(total)) await ask(`${read}?per_page=${PER_PAGE}&page=${page}`)
    }
    for (const address of new Set(files)) await ask(address.slice('https://localhost:8443'.length))
    return answers
  } finally {
    await app.close()
  }
}

const PER_PAGE = 100
const MAX_PAGES = 20

/** Every page of a list, or of a long one the first, the last and those between at even distances. */
function pagesOf(total: number): readonly number[] {
  const pages = Math.ceil(total / PER_PAGE)
  if (pages <= MAX_PAGES) return Array.from({ length: pages }, (_, index) => index + 1)
  return Array.from({ length: MAX_PAGES }, (_, index) => 1 + Math.round((index * (pages - 1)) / (MAX_PAGES - 1)))
}

async function keyOf(config: Config): Promise<Buffer> {
  const key = await findSecretKey(config)
  if (!key) throw new Error('the installation has no key')
  return key
}
