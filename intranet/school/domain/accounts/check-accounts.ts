import { chosenId } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import { fold } from '@campus/engine/base/text/fold'
import { normalizeAddress } from '@campus/engine/base/text/mail-address'
import type { Handle } from '@campus/engine/database/database'
import { foldSql, isStorable } from '@campus/engine/database/same-name'
import type { HttpError } from '@campus/engine/errors'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { sql } from 'kysely'
import { checkPassword, hashPassword } from '../../../access/passwords.ts'
import { type AccountValues, checkPerson, type NewAccount, pointsOf, walletOf } from './account-values.ts'
import { isLogin, LOGIN_RULE } from './login.ts'

/** Row of a new user. A login is generated if it is missing. */
export type NewUser = ReturnType<typeof checkPerson> & {
  readonly id?: number
  readonly login: string | undefined
  readonly correction_point: number
  readonly wallet: number
  readonly password_digest: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

export const TAKEN = 'has already been taken'

/** Checks new accounts against the rules, the database and the accounts before them. */
export async function checkAccounts(
  tx: Handle,
  accounts: readonly NewAccount[],
): Promise<readonly (NewUser | HttpError)[]> {
  const present = await findPresent(tx, accounts)
  const checked: (NewUser | HttpError)[] = []
  for (const { values, now } of accounts) {
    const errors = new ValidationErrors()
    const person = checkPerson(errors, values)
    const login = checkLogin(errors, values.login, present.logins)
    if (typeof values.password === 'string') checkPassword(errors, values.password)
    if (!errors.has('email') && present.emails.has(fold(person.email))) errors.add('email', TAKEN)
    checkExists(errors, 'campus', values.campusId, present.campus)
    checkExists(errors, 'cursus', values.cursusId, present.cursus)
    const { refusal } = errors
    if (!refusal) {
      present.emails.add(fold(person.email))
      if (login !== undefined) present.logins.add(login)
    }
    checked.push(refusal ?? (await rowOf(person, login, values, now)))
  }
  return checked
}

async function rowOf(
  person: ReturnType<typeof checkPerson>,
  login: string | undefined,
  values: AccountValues,
  now: Date,
): Promise<NewUser> {
  const password_digest = values.password ? await hashPassword(values.password) : null
  const balances = { correction_point: pointsOf(values), wallet: walletOf(values) }
  return { ...chosenId(values), ...person, login, ...balances, password_digest, created_at: now, updated_at: now }
}

type Present = {
  /** Folded, as the unique indexes see them. */
  readonly logins: Set<string>
  readonly emails: Set<string>
  readonly campus: ReadonlySet<number>
  readonly cursus: ReadonlySet<number>
}

async function findPresent(tx: Handle, accounts: readonly NewAccount[]): Promise<Present> {
  const all = accounts.map(({ values }) => values)
  const emails = all.flatMap(({ email }) => (email ? normalizeAddress(email).trim() : []))
  return {
    logins: await takenLogins(
      tx,
      all.flatMap(({ login }) => login?.trim() || []),
    ),
    emails: await takenEmails(tx, emails),
    campus: await findIds(
      tx,
      'campus',
      all.map(({ campusId }) => campusId),
    ),
    cursus: await findIds(
      tx,
      'cursus',
      all.map(({ cursusId }) => cursusId),
    ),
  }
}

/** Returns the requested login, or undefined to generate one. */
function checkLogin(
  errors: ValidationErrors,
  asked: string | null | undefined,
  taken: ReadonlySet<string>,
): string | undefined {
  const login = asked?.trim() || undefined
  if (login === undefined) return undefined
  if (!isLogin(login)) errors.add('login', LOGIN_RULE)
  else if (taken.has(fold(login))) errors.add('login', TAKEN)
  return login
}

function checkExists(
  errors: ValidationErrors,
  table: 'campus' | 'cursus',
  id: number | null | undefined,
  present: ReadonlySet<number>,
): void {
  if (id !== null && id !== undefined && !present.has(id))
    errors.add(`${table}_id`, message('must be the id of a {table}', { table }))
}

/** Returns the folded logins that exist. */
export const takenLogins = (tx: Handle, logins: readonly string[]) => taken(tx, 'login', logins)

/** Returns the folded addresses that exist. */
export const takenEmails = (tx: Handle, emails: readonly string[]) => taken(tx, 'email', emails)

async function taken(tx: Handle, column: 'login' | 'email', names: readonly string[]): Promise<Set<string>> {
  const asked = names.filter(isStorable).map(fold)
  if (asked.length === 0) return new Set()
  const folded = sql.raw(foldSql(column))
  const { rows } = await sql<{ found: string }>`
    select ${folded} as found from users where ${folded} = any(${asked}::text[])`.execute(tx.kysely)
  return new Set(rows.map(({ found }) => found))
}

const LARGEST_ID = 2_147_483_647

async function findIds(
  tx: Handle,
  table: 'campus' | 'cursus',
  ids: readonly (number | null | undefined)[],
): Promise<Set<number>> {
  const asked = [...new Set(ids)].filter((id) => Number.isInteger(id) && Number(id) > 0 && Number(id) <= LARGEST_ID)
  if (asked.length === 0) return new Set()
  const found = sql<boolean>`id = any(${asked}::int[])`
  const rows = await tx.kysely.selectFrom(table).select('id').where(found).execute()
  return new Set(rows.map(({ id }) => id))
}
