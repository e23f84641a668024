import { defined } from '@campus/engine/base/defined'
import { fold } from '@campus/engine/base/text/fold'
import type { Handle } from '@campus/engine/database/database'
import { insertRows } from '@campus/engine/database/insert-rows'
import { HttpError } from '@campus/engine/errors'
import { ValidationErrors } from '@campus/engine/validation-errors'
import type { Account } from './account-values.ts'
import { type NewUser, TAKEN, takenEmails, takenLogins } from './check-accounts.ts'
import { isLogin, loginStem } from './login.ts'

type Checked = NewUser | HttpError
type Made = Account | HttpError

/** Inserts users that do not conflict. Another transaction may have taken a login or an address meanwhile. */
export async function insertUsers(tx: Handle, checked: readonly Checked[]): Promise<readonly Made[]> {
  const made: (Made | undefined)[] = checked.map((user) => (user instanceof HttpError ? user : undefined))
  for (;;) {
    const open = unmade(checked, made)
    if (open.length === 0) return made.map(defined)
    const [waiting, users] = [open.map(([at]) => at), open.map(([, user]) => user)]
    const logins = await loginsFor(tx, users)
    const rows = users.map((user, at) => ({ ...user, login: logins[at] }))
    const options = { skipsTaken: true, returning: ['id', 'login'] } as const
    const withChosenId = rows.filter(({ id }) => id !== undefined)
    const withoutId = rows.filter(({ id }) => id === undefined)
    const inserted = [
      ...(await insertRows(tx, 'users', withChosenId, options)),
      ...(await insertRows(tx, 'users', withoutId, options)),
    ]
    const ids = new Map(inserted.map(([id, login]) => [login, Number(id)]))
    for (const [index, at] of waiting.entries()) {
      const login = defined(logins[index])
      const id = ids.get(login)
      if (id !== undefined) made[at] = { id, login }
    }
    if (ids.size < waiting.length) await refuseTaken(tx, checked, made)
  }
}

/** Returns the users that are neither inserted nor refused, with their indexes. */
const unmade = (checked: readonly Checked[], made: readonly (Made | undefined)[]) =>
  checked.flatMap((user, at) => (made[at] === undefined && !(user instanceof HttpError) ? [[at, user] as const] : []))

/** Refuses users whose requested login, address or id is taken. Generated logins are generated again. */
async function refuseTaken(tx: Handle, checked: readonly Checked[], made: (Made | undefined)[]): Promise<void> {
  const waiting = unmade(checked, made)
  const logins = await takenLogins(
    tx,
    waiting.flatMap(([, { login }]) => login ?? []),
  )
  const emails = await takenEmails(
    tx,
    waiting.map(([, { email }]) => email),
  )
  const ids = await takenIds(
    tx,
    waiting.flatMap(([, { id }]) => id ?? []),
  )
  for (const [at, { id, login, email }] of waiting) {
    const errors = new ValidationErrors()
    if (id !== undefined && ids.has(id)) errors.add('id', TAKEN)
    if (emails.has(fold(email))) errors.add('email', TAKEN)
    if (login !== undefined && logins.has(fold(login))) errors.add('login', TAKEN)
    made[at] = errors.refusal
  }
}

async function takenIds(tx: Handle, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.kysely.selectFrom('users').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

const LOGINS_AT_ONCE = 50

/** Returns the requested login of each user, or the stem of the name with the first number that makes it free. */
async function loginsFor(tx: Handle, users: readonly NewUser[]): Promise<readonly string[]> {
  const given = new Set(users.flatMap(({ login }) => login ?? []))
  const logins: (string | undefined)[] = users.map(({ login }) => login)
  for (let first = 1; logins.includes(undefined); first += LOGINS_AT_ONCE) {
    const stems = users.map(({ first_name, last_name }, at) =>
      logins[at] === undefined ? loginStem(first_name, last_name) : undefined,
    )
    const candidates = [...new Set(stems)].flatMap((stem) => (stem === undefined ? [] : numbered(stem, first)))
    const taken = await takenLogins(tx, candidates)
    for (const [at, stem] of stems.entries()) {
      if (stem === undefined) continue
      const free = numbered(stem, first).find((login) => isLogin(login) && !taken.has(login) && !given.has(login))
      if (free === undefined) continue
      logins[at] = free
      given.add(free)
    }
  }
  return logins.map(defined)
}

const numbered = (stem: string, first: number): string[] =>
  Array.from({ length: LOGINS_AT_ONCE }, (_, index) => (first + index === 1 ? stem : `${stem}${first + index}`))
