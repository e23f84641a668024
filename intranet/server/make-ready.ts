import { X509Certificate } from 'node:crypto'
import { ConfigError } from '@campus/engine/base/config-error'
import { claimDataFolder, makeConfiguredFolder, unusableFolder } from '@campus/engine/base/private-files'
import type { ShowProgress } from '@campus/engine/base/progress'
import type { Database } from '@campus/engine/database/database'
import { migrate } from '@campus/engine/database/migrate'
import { refuseWhileRestoring } from '@campus/engine/database/restore-marker'
import { answerDuring } from '@campus/engine/http/starting-server'
import { loadTls, type Tls } from '@campus/engine/http/tls'
import { collidingEmails, collisionText } from '../school/domain/accounts/colliding-emails.ts'
import { storageOfResources } from '../school/resources/declared.ts'
import { markMachine } from '../services/attachments/machines.ts'
import { claimSecretKey, refuseOtherKey } from '../services/sealing/check-key.ts'
import { loadSecretKey } from '../services/sealing/secret-key.ts'
import type { Config } from '../settings/config.ts'
import { fillIfNew } from './first-start.ts'
import type { Part } from './part.ts'
import { quietly } from './progress-bar.ts'

export type StartOptions = {
  /** Leaves a new database empty. */
  readonly empty?: boolean
  readonly parts: readonly Part[]
  /** Options of `campus serve` that parts added, for filling a new database. */
  readonly partOptions?: Readonly<Record<string, unknown>>
  readonly showProgress?: ShowProgress
  /** Called with each slow step of the first start. */
  readonly onStep?: (step: string) => void
  /** Called with the expiry date of an expired operator's certificate. */
  readonly onExpired?: (end: string) => void
  /** Called with the migrations that were run. */
  readonly onMigrated?: (names: readonly string[]) => void
  /** Called after migrations with each e-mail address that accounts have in two Unicode forms. */
  readonly onCollision?: (text: string) => void
}

/** Creates the missing certificate, key, tables and school before serving. If the tables exist, `open` runs at the same time. */
export async function makeReady<T>(
  config: Config,
  database: Database,
  options: StartOptions,
  open: (keys: Keys) => Promise<T>,
): Promise<T> {
  const {
    empty = false,
    parts,
    partOptions = {},
    showProgress = quietly,
    onStep,
    onMigrated,
    onExpired,
    onCollision,
  } = options
  // Checked before a key is made, since a restore may bring that of the archive.
  await refuseWhileRestoring(database)
  // Checked before `loadKeys`, which would make a wrong key.
  const claimed = await refuseOtherKey(database, config)
  for (const { checkBeforeStart } of parts) await checkBeforeStart?.(config)
  // The lock of the embedded server has claimed the folder already.
  if (config.databaseUrl)
    await claimDataFolder(config.data).catch((error) => {
      throw error instanceof ConfigError ? error : unusableFolder('CAMPUS_DATA', config.data, error)
    })
  await makeConfiguredFolder('CAMPUS_FILES', config.files)
  onStep?.('Making its tables')
  const keys = await loadKeys(config)
  if (config.tls && keys.tls) {
    const { validTo, validToDate } = new X509Certificate(keys.tls.cert)
    if (validToDate < new Date()) onExpired?.(validTo)
  }
  const { promise: tables, resolve: onTables } = Promise.withResolvers<void>()
  const making = answerDuring(config, keys.tls, async () => {
    const migrated = await migrate(database.background.kysely, storageOfResources(), { onTables })
    if (migrated.length > 0) {
      onMigrated?.(migrated)
      for (const collision of await collidingEmails(database)) onCollision?.(collisionText(collision).said)
    }
    if (!claimed) await claimSecretKey(database, config)
    if (!config.s3) await markMachine(config.files)
    if (!empty) await fillIfNew(config, database, { parts, options: partOptions, showProgress })
  })
  const opening = Promise.race([tables, making]).then(() => open(keys))
  const [, opened] = await Promise.allSettled([making, opening])
  await making
  if (opened.status === 'rejected') throw opened.reason
  return opened.value
}

export type Keys = { readonly tls: Tls | undefined; readonly secretKey: Buffer }

/** Loads the certificate, unless a proxy has it, and the secret key. Throws ConfigError. */
export async function loadKeys(config: Config): Promise<Keys> {
  const tls = config.isBehindProxy ? undefined : await loadTls(config)
  return { tls, secretKey: await loadSecretKey(config) }
}
