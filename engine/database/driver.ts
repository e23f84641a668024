import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/* Undocumented parts of the driver. The version of `pg` is pinned for them, and `driver.test.ts` fails if one is missing. */

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

export const streamOf = (client: pg.Client): Stream => Reflect.get(client, 'connection').stream

export const processIdOf = (client: pg.Client): number => Reflect.get(client, 'processID')

const untyped: object = pg

/** Calls `note` with a parameter that the server reports at connection (`ParameterStatus`). */
export function onParameter(client: pg.Client, name: string, note: (value: string) => void): void {
  const report = ({ parameterName, parameterValue }: Report) => {
    if (parameterName === name) note(parameterValue)
  }
  Reflect.get(client, 'connection').on('parameterStatus', report)
}

type Report = { readonly parameterName: string; readonly parameterValue: string }

export const { prepareValue }: { prepareValue(value: unknown): unknown } = Reflect.get(untyped, 'utils')

type DriverQuery = {
  submit(connection: WireConnection): Error | null
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: WireConnection): void
}

export const DriverQuery: new (config: pg.QueryConfig & { queryMode?: string }) => DriverQuery = Reflect.get(
  untyped,
  'Query',
)

type Submitter = { readonly query: unknown }

export function sendQuery<Result>(client: Submitter, query: object): Promise<Result> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | undefined, result: Result) => (error ? reject(error) : resolve(result))
    Reflect.apply(Object(client.query), client, [query, undefined, done])
  })
}

export type Lent = {
  query(text: string, values: unknown[]): Promise<pg.QueryResult>
  release(): void
}

export const openKysely = (connect: () => Promise<Lent>): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: over(connect) })

export const kyselyWithin = (connect: () => Promise<Lent>): Kysely<Tables> =>
  new KyselyWithin({ dialect: over(connect) })

class KyselyWithin extends Kysely<Tables> {
  override get isTransaction(): boolean {
    return true
  }
}

const over = (connect: () => Promise<Lent>) =>
  // biome-ignore lint/plugin: the builder’s type asks for cursors, too, which nothing here uses
  new PostgresDialect({ pool: { connect, end: async () => {} } as never })
