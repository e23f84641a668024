import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Database } from '@campus/engine/database/database'
import { Staging } from '@campus/engine/http/staging'
import { makeFirstKeys } from '@campus/intranet/oauth/openid/signing-keys'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import { needFiles, storeFile } from '@campus/intranet/services/attachments/stored-files'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { storeSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { emptyDatabase, testDatabase } from '@campus/test/support/database'
import { builderOf } from '@campus/test/support/row-builder'
import { type Installation, installation, NOW } from './installation.ts'

/** Text that a line, a value of COPY or JSON could trip over. */
export const AWKWARD = 'tab\t, line\n, return\r, back\\slash \\N \\. "quote" \u0001\u0002 \u{1f393} NULL'
export const SECRET = 'the secret of a webservice'
export const HOOK = 'the secret of a webhook'
export const TABLE = '{"columns":["login"],"rows":[["ada"]]}'
export const PREVIEW = '{"columns":["login"]}'
export const FACTOR = 'the secret of a second factor'

/** Some people of one campus, a webservice with a secret, a second factor, and a coalition with a picture. */
export async function smallSchool(): Promise<Installation> {
  const school = await newInstallation(testDatabase)
  const { config, database } = school
  const sealer = new Sealer(await storeSecretKey(config, randomBytes(32)))
  const build = builderOf(database)
  const campus_id = await build.campus()
  const people = [await build.user({ first_name: AWKWARD, wallet: 1000 }), await build.user({ wallet: 1000 })]
  for (const user_id of people) await build.location({ user_id, campus_id, begin_at: NOW, end_at: null })
  const sealed = { secret: sealer.seal('endpoints.secret', SECRET), secret_digest: sealer.digest(SECRET) }
  await build.record('endpoints', { url: 'https://hooks.example', ...sealed })
  await database.rows(
    'insert into second_factors (user_id, sealed_secret, created_at, confirmed_at) values ($1, $2, $3, $3)',
    [people[0], sealer.seal('second_factors.sealed_secret', FACTOR), NOW.toISOString()],
  )
  await storeSealedRows(database, sealer)
  await database.transaction((tx) => makeFirstKeys(tx, { sealer, now: NOW }))
  const image_file_id = await storePicture(school)
  await build.record('coalitions', { name: 'Order', slug: 'order', image_file_id })
  return school
}

/** An installation with nothing in it. */
export const emptyInstallation = (): Promise<Installation> => newInstallation(emptyDatabase)

const newInstallation = (make: typeof testDatabase) =>
  installation(async () => {
    const database = await make()
    return { database, close: () => database.close() }
  })

export async function urlOf(database: Database): Promise<string> {
  const [row] = await database.rows('select current_database()')
  return Object.assign(new URL(String(process.env.CAMPUS_TEST_DATABASE_URL)), { pathname: `/${row?.[0]}` }).href
}

async function storePicture({ config, database }: Installation): Promise<number> {
  const store = await openStore(config)
  const staging = new Staging(join(config.files, 'incoming'))
  const staged = await staging.receive(Readable.from([randomBytes(100_000)]), 1_000_000)
  if (!staged) throw new Error('the picture was not staged')
  const id = await storeFile({ database, store, now: NOW }, staged, 'image/png')
  await database.transaction((tx) => needFiles(tx, [id]))
  return id
}

/** A webhook of an application and a draft of an import. */
async function storeSealedRows({ rows }: Database, sealer: Sealer): Promise<void> {
  await rows(`insert into applications (name, uid, secret_digest) values ('Wall', 'wall', '')`)
  await rows(
    `insert into webhooks (application_id, model, relation, event, url, secret)
     select id, 'user', 'users', 'create', 'https://wall.example/hook', $1 from applications where uid = 'wall'`,
    [sealer.seal('webhooks.secret', HOOK)],
  )
  await rows(
    `insert into import_drafts (user_id, resource, name, sealed_table, sealed_preview, mapping, created_at)
     select min(id), 'users', 'people.csv', $1, $2, '{}', now() from users`,
    [sealer.seal('import_drafts.sealed_table', TABLE), sealer.seal('import_drafts.sealed_preview', PREVIEW)],
  )
}
