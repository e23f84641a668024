import type { Request } from 'autocannon'
import type { Target } from '../load.ts'

/** Rows as a server gives them, in its order. */
export type Rows = {
  readonly ids: readonly number[]
  /** Undefined where it was not asked for. */
  readonly total: number | undefined
}

/** A page of a list, and its headers. */
export type PageOf = {
  readonly table: 'users' | 'locations'
  readonly campusId?: number
  /** From 1. */
  readonly page?: number
  /** Whether those are asked for a total that give it only then. */
  readonly withTotal: boolean
}

/** How a server is asked for the same things. */
export type Dialect = {
  page(asked: PageOf): Request
  one(table: PageOf['table'], id: number): Request
  /** Makes a location. */
  write(location: Readonly<Record<string, unknown>>): Request
  /** Reads the rows of a page and its headers. */
  read(body: string, headers: Readonly<Record<string, unknown>>): Rows
}

/** A server that runs in a process of its own. */
export type Running = {
  readonly target: Target
  /** Headers of the writing request, instead of the target's. */
  readonly writer?: Readonly<Record<string, string>>
  readonly pid: number
  stop(): Promise<void>
}

/** Connections to the database of each. */
export const POOL = 10

export const PER_PAGE = 30

/** Stored fields that both representations of a user have, so that all servers read the same. */
export const USER_COLUMNS = [
  'id',
  'email',
  'login',
  'first_name',
  'last_name',
  'usual_first_name',
  'phone',
  'kind',
  'image',
  'correction_point',
  'pool_month',
  'pool_year',
  'wallet',
  'anonymize_date',
  'data_erasure_date',
  'created_at',
  'updated_at',
  'alumnized_at',
  'closed_at',
] as const

export const LOCATION_COLUMNS = [
  'id',
  'user_id',
  'campus_id',
  'begin_at',
  'end_at',
  'primary',
  'floor',
  'row',
  'post',
  'host',
] as const
