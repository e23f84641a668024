import type { Database } from '@campus/engine/database/database'
import { quote } from '@campus/engine/rest/declare/identifiers'

type Values = Readonly<Record<string, unknown>>

/** Inserts rows into the database, with defaults for the values that a test omits. Each method returns the id. */
export type Builder = {
  record(table: string, values: Values): Promise<number>
  language(values?: Values): Promise<number>
  campus(values?: Values): Promise<number>
  cursus(values?: Values): Promise<number>
  user(values?: Values): Promise<number>
  location(values: Values & { readonly user_id: number; readonly campus_id: number }): Promise<number>
}

export function builderOf(database: Database): Builder {
  let last = 0
  const next = () => {
    last += 1
    return last
  }

  let before: Promise<unknown> = Promise.resolve()

  /** Inserts rows one after another, so that ids follow the order of calls even if the calls are concurrent. */
  function record(table: string, values: Values): Promise<number> {
    const inserted = before.then(() => insert(table, values))
    before = inserted.catch(() => {})
    return inserted
  }

  async function insert(table: string, values: Values): Promise<number> {
    const names = Object.keys(values)
    const marks = names.map((_, index) => `$${index + 1}`)
    const [row] = await database.rows(
      `insert into ${quote(table)} (${names.map(quote).join(', ')}) values (${marks.join(', ')}) returning id`,
      Object.values(values),
    )
    return Number(row?.[0])
  }

  async function language(values: Values = {}): Promise<number> {
    const number = next()
    return record('languages', { name: `Language ${number}`, identifier: `l${number}`, ...values })
  }

  return {
    record,
    language,
    async campus(values = {}) {
      const number = next()
      const language_id = values.language_id ?? (await language())
      return record('campus', {
        name: `Campus ${number}`,
        slug: `campus-${number}`,
        time_zone: 'UTC',
        ...values,
        language_id,
      })
    },
    async cursus(values = {}) {
      const number = next()
      return record('cursus', { name: `Cursus ${number}`, slug: `cursus-${number}`, ...values })
    },
    async user(values = {}) {
      const login = String(values.login ?? `user${next()}`)
      const names = { email: `${login}@campus.test`, first_name: 'Ada', last_name: 'Byron' }
      const id = await record('users', { login, ...names, correction_point: 4, ...values })
      const sum = Number(values.correction_point ?? 4)
      const entry = { user_data_id: id, reason: 'Creation', sum, total: sum }
      if (sum !== 0) await record('correction_point_historics', entry)
      return id
    },
    location: (values) => record('locations', { host: `c1r1s${next()}`, ...values }),
  }
}
