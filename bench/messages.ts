import type { FixedLine } from './fixed/lines.ts'
import type { Target } from './load.ts'
import type { Side } from './rounds.ts'

/** Options of the servers' process. */
export type ServersOptions = {
  readonly databaseUrl: string | undefined
  readonly users: number | undefined
  readonly locations: number | undefined
  /** Paths whose recorded responses plain Fastify repeats. */
  readonly fixedPaths?: readonly string[]
  /** Instead of `databaseUrl`: an embedded database whose commits take at least so long to be on disk. */
  readonly flushMilliseconds?: number
}

/** Paths chosen from the records of the database. */
export type Paths = {
  readonly usersPage: string
  readonly locationsPage: string
  /** Many, so that not one record alone is read again and again. */
  readonly singleUsers: readonly string[]
  /** Pages of records that show many others. */
  readonly richPages: readonly string[]
  /** User and campus of new locations. */
  readonly seat: { readonly user_id: number; readonly campus_id: number }
  /** For reads and writes mixed: the first are asked for the most. */
  readonly mixed: readonly string[]
}

/** The service as it is, the service without its response cache, the bare server, and Fastify as it comes. */
export type TargetName = Side | 'uncached' | 'plain'

export type Ready = {
  readonly kind: 'ready'
  readonly targets: Readonly<Record<TargetName, Target>>
  /** Headers of a caller who may write. */
  readonly writer: Readonly<Record<string, string>>
  /** The certificate of all. */
  readonly ca: string
  readonly paths: Paths
  /** Requests to the service and to plain Fastify. */
  readonly fixedLines: readonly FixedLine[]
  /** Name and version. */
  readonly database: string
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** How long the seed took; undefined where the database had been used before. */
  readonly seededSeconds: number | undefined
}

export type FromServers =
  | { readonly kind: 'progress'; readonly step: string; readonly done: number; readonly total: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | Ready

/** `write`: change a row that no page shows. */
export type ToServers = { readonly kind: 'write' }
