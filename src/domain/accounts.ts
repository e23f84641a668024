import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Handle } from '../database/database.ts'
import { notFound } from '../errors.ts'
import { checkText, ValidationErrors } from '../validation-errors.ts'
import { attachSecrets } from '../webhooks/attach-secrets.ts'
import type { Sealing } from '../webhooks/sealing.ts'
import { KINDS } from './account-kinds.ts'
import { POINTS_AT_FIRST, REASONS, setPoints } from './correction-points.ts'
import { isLogin, LOGIN_RULE, loginStem } from './login.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { setWallet } from './wallets.ts'

/** What is said about a new person, by column names. */
export type AccountValues = {
  readonly email?: string | null | undefined
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
  /** Made from the names where it is not given. */
  readonly login?: string | null | undefined
  readonly kind?: string | null | undefined
  readonly usual_first_name?: string | null | undefined
  readonly pool_year?: string | null | undefined
  readonly pool_month?: string | null | undefined
  readonly status?: string | null | undefined
  readonly image?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly email_stop?: boolean | null | undefined
  /** Evaluation points that it begins with, 4 unless said. */
  readonly correction_point?: number | null | undefined
  /** What it may spend in the shop, 0 unless said. */
  readonly wallet?: number | null | undefined
  /** In clear; only its argon2id digest is stored, and the campuses get it once. */
  readonly password?: string | null | undefined
  /** Told to the campus once, and kept nowhere. */
  readonly meta?: object | null | undefined
  /** The campus that becomes the primary one. */
  readonly campusId?: number | null | undefined
  readonly cursusId?: number | null | undefined
}

type NewAccount = { readonly values: AccountValues; readonly actor: Actor; readonly now: Date }

type Account = { readonly id: number; readonly login: string }

/** Opens an account. To be run in a transaction. Throws a 422 that names every error. */
export async function createAccount(
  tx: Handle,
  sealing: Sealing,
  { values, actor, now }: NewAccount,
): Promise<Account> {
  const errors = new ValidationErrors()
  const person = checkPerson(errors, values)
  const login = await checkLogin(tx, errors, values.login)
  if (typeof values.password === 'string') checkPassword(errors, values.password)
  if (!errors.has('email') && (await isEmailTaken(tx, person.email))) errors.add('email', TAKEN)
  await checkExists(tx, errors, 'campus_id', 'campus', values.campusId)
  await checkExists(tx, errors, 'cursus_id', 'cursus', values.cursusId)
  errors.throwIfAny()

  const password_digest = values.password ? await hashPassword(values.password) : null
  const times = { created_at: now, updated_at: now }
  const account = await insertUser(tx, { ...person, ...times, password_digest }, login)
  await setPoints(tx, account.id, { to: values.correction_point ?? POINTS_AT_FIRST, reason: REASONS.creation, now })
  await setWallet(tx, account.id, { to: values.wallet ?? 0, reason: REASONS.creation, now })
  const { campusId, cursusId, password = null, meta = null } = values
  await attachSecrets(tx, sealing, account.id, { password, meta })
  const tie = { user_id: account.id, ...times }
  if (campusId) {
    const campusUser = { ...tie, campus_id: campusId, is_primary: true }
    await tx.kysely.insertInto('campus_users').values(campusUser).execute()
  }
  if (cursusId) {
    await tx.kysely
      .insertInto('cursus_users')
      .values({ ...tie, cursus_id: cursusId, begin_at: now })
      .execute()
  }
  await recordAudit(tx, now, { kind: 'account_created', actor, subjectId: account.id })
  return account
}

/** The account of a login. Throws 404. */
export async function accountOf(handle: Handle, login: string): Promise<Account> {
  const account = await handle.kysely
    .selectFrom('users')
    .select(['id', 'login'])
    .where('login', '=', login)
    .executeTakeFirst()
  if (!account) throw notFound('No user has this login.')
  return account
}

const DEFAULT_KIND = 'student'
const LONGEST_USUAL_FIRST_NAME = 42
const TAKEN = 'has already been taken'

function checkPerson(errors: ValidationErrors, values: AccountValues) {
  const required = { required: true }
  const email = checkText(errors, 'email', values.email, required) ?? ''
  if (email && !isEmail(email)) errors.add('email', 'must look like name@example.org')
  const kind = values.kind || DEFAULT_KIND
  if (!KINDS.some((known) => known === kind)) errors.add('kind', `must be one of ${KINDS.join(', ')}`)
  return {
    email,
    first_name: checkText(errors, 'first_name', values.first_name, required) ?? '',
    last_name: checkText(errors, 'last_name', values.last_name, required) ?? '',
    usual_first_name: checkText(errors, 'usual_first_name', values.usual_first_name, {
      longest: LONGEST_USUAL_FIRST_NAME,
    }),
    kind,
    pool_year: checkText(errors, 'pool_year', values.pool_year),
    pool_month: checkText(errors, 'pool_month', values.pool_month),
    status: checkText(errors, 'status', values.status),
    image: checkText(errors, 'image', values.image),
    phone: checkText(errors, 'phone', values.phone),
    email_stop: values.email_stop ?? false,
  }
}

const TEXTS = ['pool_year', 'pool_month', 'status', 'image', 'phone', 'email', 'first_name', 'last_name'] as const

/** What is to change of a person, by the rules for a new one. Throws a 422 that names every error. */
export function checkChanges<V extends Readonly<Record<string, unknown>>>(values: V): V {
  const errors = new ValidationErrors()
  const checked: Record<string, unknown> = {}
  for (const name of [...TEXTS, 'usual_first_name'] as const) {
    if (!(name in values)) continue
    const rules = name === 'usual_first_name' ? { longest: LONGEST_USUAL_FIRST_NAME } : {}
    checked[name] = checkText(errors, name, values[name] as string | null, rules)
  }
  errors.throwIfAny()
  return { ...values, ...checked }
}

const isEmail = (text: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)

/** The login asked for, or undefined where one is to be made. */
async function checkLogin(
  tx: Handle,
  errors: ValidationErrors,
  asked: string | null | undefined,
): Promise<string | undefined> {
  const login = asked?.trim() || undefined
  if (login === undefined) return undefined
  if (!isLogin(login)) {
    errors.add('login', LOGIN_RULE)
  } else if ((await takenLogins(tx, [login])).size > 0) {
    errors.add('login', TAKEN)
  }
  return login
}

/** As the unique index sees it: capitals do not make another address. */
async function isEmailTaken(tx: Handle, email: string): Promise<boolean> {
  const rows = await tx.rows('select id from users where lower(email) = lower($1 collate "C")', [email])
  return rows.length > 0
}

const LARGEST_ID = 2_147_483_647

async function checkExists(
  tx: Handle,
  errors: ValidationErrors,
  field: string,
  table: 'campus' | 'cursus',
  id: number | null | undefined,
): Promise<void> {
  if (id === null || id === undefined) return
  const isId = Number.isInteger(id) && id > 0 && id <= LARGEST_ID
  const rows = isId ? await tx.rows(`select id from ${table} where id = $1`, [id]) : []
  if (rows.length === 0) errors.add(field, `must be the id of a ${table}`)
}

type NewUser = ReturnType<typeof checkPerson> & {
  readonly password_digest: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** Another transaction may take a login or an address that was free a moment ago. */
async function insertUser(tx: Handle, user: NewUser, askedLogin: string | undefined): Promise<Account> {
  for (;;) {
    const login = askedLogin ?? (await freeLogin(tx, loginStem(user.first_name, user.last_name)))
    const account = await tx.kysely
      .insertInto('users')
      .values({ ...user, login })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'login'])
      .executeTakeFirst()
    if (account) return account
    const errors = new ValidationErrors()
    if (await isEmailTaken(tx, user.email)) errors.add('email', TAKEN)
    if (askedLogin && (await takenLogins(tx, [askedLogin])).size > 0) errors.add('login', TAKEN)
    errors.throwIfAny()
  }
}

const LOGINS_AT_ONCE = 50

/** The stem itself, or with the first number that makes it free. */
async function freeLogin(tx: Handle, stem: string): Promise<string> {
  for (let first = 1; ; first += LOGINS_AT_ONCE) {
    const numbers = Array.from({ length: LOGINS_AT_ONCE }, (_, index) => first + index)
    const candidates = numbers.map((number) => (number === 1 ? stem : `${stem}${number}`))
    const taken = await takenLogins(tx, candidates)
    const free = candidates.find((login) => isLogin(login) && !taken.has(login))
    if (free) return free
  }
}

async function takenLogins(tx: Handle, logins: readonly string[]): Promise<Set<string>> {
  const rows = await tx.kysely.selectFrom('users').select('login').where('login', 'in', logins).execute()
  return new Set(rows.map(({ login }) => login))
}
