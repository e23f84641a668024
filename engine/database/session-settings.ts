import type { Connection } from './connection.ts'
import { PROCESS_SETTING } from './functions/writer-lease.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { Named } from './text-query.ts'

export type Sending = {
  readonly names: PreparedNames
  /** Settings to send before each statement or transaction, if sessions are not kept. */
  readonly settings: readonly Named[]
}

type Session = {
  /** Maximum time of statements. Unlimited by default. */
  readonly seconds?: number | undefined
  /** The process, if it may have the writer lease. */
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
  // Ends transactions of dead clients, which hold locks.
  ['idle_in_transaction_session_timeout', `${statementSeconds}s`],
  ...(process === undefined ? [] : ([[PROCESS_SETTING, process]] as const)),
]

/**
 * Overrides defaults of the account or database that would end sessions or refuse concurrent writes. Keepalives detect a dead client
 * machine within half a minute.
 */
const SESSION_DEFAULTS = [
  ['default_transaction_isolation', 'read committed'],
  ['idle_session_timeout', '0'],
  ['tcp_keepalives_idle', '10'],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
] as const

/** The setting exists since PostgreSQL 17. */
export const NO_TRANSACTION_TIMEOUT = `select set_config('transaction_timeout', '0', false) where current_setting('transaction_timeout', true) is not null`

export async function prepareSession(client: Connection, session: Session = {}): Promise<void> {
  const statements = [...settingsOf(session), ...SESSION_DEFAULTS].map(([name, value]) => `set ${name} = '${value}'`)
  await client.askSoon([...statements, NO_TRANSACTION_TIMEOUT].join('; '))
}

export const settingsAlong = (session: Session): readonly Named[] => [
  {
    text: `select ${settingsOf(session)
      .map(([name, value]) => `set_config('${name}', '${value}', true)`)
      .join(', ')}`,
  },
]
