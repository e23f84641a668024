import { randomBytes } from 'node:crypto'
import { readIfPresent, replacePrivateFile } from '@campus/engine/base/private-files'
import type { ShowProgress } from '@campus/engine/base/progress'
import type { Database } from '@campus/engine/database/database'
import { hashPassword } from '@campus/intranet/access/passwords'
import type { Role } from '@campus/intranet/access/roles'
import { SCOPES } from '@campus/intranet/access/scopes'
import { createNamedApplication } from '@campus/intranet/oauth/applications/by-operators'
import { isCurrentSecret } from '@campus/intranet/oauth/applications/secrets'
import type { Config } from '@campus/intranet/settings/config'
import { sql } from 'kysely'
import { credentialsPath } from './credentials-path.ts'
import { fillDatabase, type SeedSizes } from './fill-database.ts'

/** Credentials to try the service with: an application, and people to sign in as. */
export type Demonstration = {
  readonly uid: string
  readonly secret: string | undefined
  readonly people: readonly DemonstrationPerson[]
}

export type DemonstrationPerson = {
  readonly login: string
  readonly password: string
  readonly kind: 'student' | 'staff'
}

const APPLICATION = {
  name: 'Demonstration',
  scopes: Object.keys(SCOPES),
  roles: ['Basic Staff', 'Advanced Tutor'] satisfies Role[],
  rate_per_second: 50,
  rate_per_hour: 60_000,
}

/** Fills a new database with the demonstration campus, and stores the credentials of its application. */
export async function fillWithDemonstration(
  config: Config,
  database: Database,
  sizes: SeedSizes,
  showProgress: ShowProgress,
): Promise<void> {
  await showProgress('Making a demonstration campus', (progress) => fillDatabase(database, config, sizes, progress))
  const by = { actor: { userId: null }, now: new Date() }
  const { uid, secret } = await database.transaction((tx) => createNamedApplication(tx, APPLICATION, by))
  const credentials: Credentials = { uid, secret: String(secret), ...(await setPasswords(database)) }
  await replacePrivateFile(credentialsPath(config), `${JSON.stringify(credentials)}\n`)
}

/** Sets a password for a student and a member of the staff. One password for both, since hashing delays the start. */
export async function setPasswords(
  database: Database,
): Promise<Pick<Credentials, 'password' | 'password_digest' | 'people'>> {
  const password = randomBytes(9).toString('base64url')
  const password_digest = await hashPassword(password)
  const find = async (kind: 'student' | 'staff', statement: string) => {
    const { rows } = await sql.raw<{ login: string }>(statement).execute(database.kysely)
    return rows.slice(0, 1).map(({ login }) => ({ login, kind }))
  }
  const people = [...(await find('student', A_STUDENT)), ...(await find('staff', SOMEBODY_OF_THE_STAFF))]
  const logins = people.map(({ login }) => login)
  await database.transaction(async (tx) => {
    // Sends no webhooks about the passwords.
    await sql`select set_config('campus.webhooks', 'off', true)`.execute(tx.kysely)
    await sql`update users set password_digest = ${password_digest} where login = any(${logins})`.execute(tx.kysely)
  })
  // Administrators may try the work of staff for all campuses.
  await sql`insert into administrators select id, now() from users where kind = 'admin' and login = any(${logins}) on conflict do nothing`.execute(
    database.kysely,
  )
  return { password, password_digest, people }
}

/** Selects the student with the most to see: active teams, an upcoming evaluation, free slots. */
const A_STUDENT = `select u.login from users u
  where kind = 'student' and alumnized_at is null and closed_at is null
    and exists (select from cursus_users where user_id = u.id and end_at is null)
  order by (
      select count(distinct t.status) from teams t join teams_users m on m.team_id = t.id
      where m.user_id = u.id and t.status in ('in_progress', 'waiting_for_correction')
    ) + (
      exists (select from scale_teams s join teams_users m on m.team_id = s.team_id where m.user_id = u.id and s.filled_at is null)
    )::integer + (exists (select from slots where user_id = u.id and scale_team_id is null))::integer desc,
    id desc
  limit 1`
const SOMEBODY_OF_THE_STAFF = `select u.login from users u join campus_users m on m.user_id = u.id and m.is_primary
  where kind = 'admin' and closed_at is null
  order by m.campus_id = (select min(id) from campus) desc, u.id limit 1`

/**
 * Returns the demonstration application and users. Includes the secret and the passwords that are unchanged. A file
 * beside the database stores them in plain text, since they protect only invented data.
 */
export async function findDemonstration(config: Config, database: Database): Promise<Demonstration | undefined> {
  const credentials = await readCredentials(config)
  if (!credentials) return undefined
  const people = await findPeople(database, credentials)
  if (await isCurrentSecret(database, credentials)) return { uid: credentials.uid, secret: credentials.secret, people }
  const row = await database.kysely
    .selectFrom('applications')
    .select('uid')
    .where('uid', '=', credentials.uid)
    .executeTakeFirst()
  return row && { uid: row.uid, secret: undefined, people }
}

/** Finds users who still have the password, by comparing its digest. */
async function findPeople(
  database: Database,
  { people, password, password_digest }: Credentials,
): Promise<DemonstrationPerson[]> {
  const rows = await database.kysely
    .selectFrom('users')
    .select('login')
    .where('password_digest', '=', password_digest)
    .where('closed_at', 'is', null)
    .execute()
  const unchanged = new Set(rows.map(({ login }) => login))
  return people.filter(({ login }) => unchanged.has(login)).map((person) => ({ ...person, password }))
}

type Credentials = {
  readonly uid: string
  readonly secret: string
  readonly password: string
  readonly password_digest: string
  readonly people: readonly Omit<DemonstrationPerson, 'password'>[]
}

async function readCredentials(config: Config): Promise<Credentials | undefined> {
  try {
    const stored: Partial<Credentials> = JSON.parse((await readIfPresent(credentialsPath(config))) ?? '')
    const { uid, secret, password = '', password_digest = '', people = [] } = stored
    return { uid: String(uid), secret: String(secret), password, password_digest, people }
  } catch {
    return undefined
  }
}
