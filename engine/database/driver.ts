import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/*
 * All that is used of the driver beyond what it documents. The version of `pg` is pinned for this file's sake, and
 * `driver.test.ts` fails where one of these is no longer there.
 */

/** The driver's own line to the server, which a query writes its messages to. */
export type WireConnection = {
  readonly stream: Stream
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(statement: { text: string; name: string | undefined }): void
  bind(values: object): void
  execute(portal: object): void
  sync(): void
}

type Stream = { readonly destroyed: boolean; destroy(error?: Error): void; cork(): void; uncork(): void }

/** The socket of a client. */
export const streamOf = (client: pg.Client): Stream => Reflect.get(client, 'connection').stream

/** The number of the server's process that said that it serves the client. */
export const processIdOf = (client: pg.Client): number => Reflect.get(client, 'processID')

const untyped: object = pg

/** Calls `note` with the value of a parameter that the server reports when a connection begins (`ParameterStatus`). */
export function onParameter(client: pg.Client, name: string, note: (value: string) => void): void {
  const report = ({ parameterName, parameterValue }: Report) => {
    if (parameterName === name) note(parameterValue)
  }
  Reflect.get(client, 'connection').on('parameterStatus', report)
}

type Report = { readonly parameterName: string; readonly parameterValue: string }

/** Writes a parameter as the driver does. */
export const { prepareValue }: { prepareValue(value: unknown): unknown } = Reflect.get(untyped, 'utils')

/** A query as the driver's client calls it. */
type DriverQuery = {
  submit(connection: WireConnection): Error | null
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: WireConnection): void
}

/** The driver's own query, to be extended. */
export const DriverQuery: new (config: pg.QueryConfig & { queryMode?: string }) => DriverQuery = Reflect.get(
  untyped,
  'Query',
)

type Submitter = { readonly query: unknown }

/** Sends a query of ours on a client: the driver calls `submit` and the handlers of what is given to it. */
export function sendQuery<Result>(client: Submitter, query: object): Promise<Result> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | undefined, result: Result) => (error ? reject(error) : resolve(result))
    Reflect.apply(Object(client.query), client, [query, undefined, done])
  })
}

/** What statements of the query builder are sent on. */
export type Lent = {
  query(text: string, values: unknown[]): Promise<pg.QueryResult>
  release(): void
}

/** A query builder whose statements go over connections of ours. */
export const openKysely = (connect: () => Promise<Lent>): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: over(connect) })

/** The same where a transaction has begun on the connection. */
export const kyselyWithin = (connect: () => Promise<Lent>): Kysely<Tables> =>
  new KyselyWithin({ dialect: over(connect) })

/** Knows that it is in a transaction that it has not begun itself. */
class KyselyWithin extends Kysely<Tables> {
  override get isTransaction(): boolean {
    return true
  }
}

const over = (connect: () => Promise<Lent>) =>
  // biome-ignore lint/plugin: the builder’s type asks for cursors, too, which nothing here uses
  new PostgresDialect({ pool: { connect, end: async () => {} } as never })
