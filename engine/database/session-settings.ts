import type { Connection } from './connection.ts'
import { PROCESS_SETTING } from './functions/writer-lease.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { Named } from './text-query.ts'

/** How statements are sent on connections of one kind. */
export type Sending = {
  readonly names: PreparedNames
  /** Settings to send before each statement or transaction, if the connection does not keep them. */
  readonly settings: readonly Named[]
}

type Session = {
  /** How long statements may take; as long as they like unless said. */
  readonly seconds?: number | undefined
  /** For which process it works, where that may have the writer lease. */
  readonly process?: string | undefined
}

const settingsOf = ({
  seconds: statementSeconds = 0,
  process,
}: Session): readonly (readonly [name: string, value: string])[] => [
  ['timezone', 'UTC'],
  ['search_path', 'public'],
  ['datestyle', 'ISO'],
  ['jit', 'off'],
  ['array_nulls', 'on'],
  ['lock_timeout', '0'],
  ['statement_timeout', `${statementSeconds}s`],
  // Who has begun a transaction and is gone holds locks for no longer.
  ['idle_in_transaction_session_timeout', `${statementSeconds}s`],
  ...(process === undefined ? [] : ([[PROCESS_SETTING, process]] as const)),
]

/** Overrides defaults of the account or the database that would end sessions or refuse concurrent writes. */
const SESSION_DEFAULTS = [
  ['default_transaction_isolation', 'read committed'],
  ['idle_session_timeout', '0'],
] as const

/** PostgreSQL has the setting from version 17 on. */
export const NO_TRANSACTION_TIMEOUT = `select set_config('transaction_timeout', '0', false) where current_setting('transaction_timeout', true) is not null`

/** Has the server find out within half a minute that its client's machine is gone. */
const KEEPALIVE = [
  ['tcp_keepalives_idle', '10'],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
] as const

/** Has a session be as every statement expects it. */
export async function prepareSession(client: Connection, session: Session = {}): Promise<void> {
  const statements = [...settingsOf(session), ...SESSION_DEFAULTS, ...KEEPALIVE].map(
    ([name, value]) => `set ${name} = '${value}'`,
  )
  await client.askSoon([...statements, NO_TRANSACTION_TIMEOUT].join('; '))
}

/** The same for one transaction, where a pooler gives each to another session. */
export const settingsAlong = (session: Session): readonly Named[] => [
  {
    text: `select ${settingsOf(session)
      .map(([name, value]) => `set_config('${name}', '${value}', true)`)
      .join(', ')}`,
  },
]
