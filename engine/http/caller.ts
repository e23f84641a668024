import type { Handle } from '../database/database.ts'

export type CallingApplication = {
  readonly id: number
  readonly uid: string
  readonly name: string
  readonly roles: readonly string[]
  readonly ratePerSecond: number
  readonly ratePerHour: number
  readonly ownerId?: number | null
  /** All such applications share one rate per user. */
  readonly isRatedByUser?: boolean
}

/** The caller: an application with the token's scopes, perhaps on behalf of a user (`resourceOwnerId`). */
export type Caller = {
  readonly application: CallingApplication
  readonly scopes: readonly string[]
  readonly resourceOwnerId: number | null
  readonly command?: string
  readonly address?: string
  /** Checks the caller's rights to a record. Called in the transaction before and after a write. Throws 403. */
  readonly authorizeWrite?: (tx: Handle, table: string, id: number) => Promise<void>
  /** Called in the transaction of each write of a record by a route, such as for the audit log. */
  readonly onWrite?: (tx: Handle, written: WrittenRecord) => Promise<void>
}

export type Counted = {
  readonly resourceOwnerId: number | null
  readonly application: Pick<CallingApplication, 'id' | 'ownerId'>
}

/** Returns the id of the user, else of the application's owner, else the negated id of the application. */
export const personOf = ({ resourceOwnerId, application }: Counted): number =>
  resourceOwnerId ?? application.ownerId ?? -application.id

export type WrittenRecord = {
  readonly resource: string
  readonly id: number
  readonly action: string
  readonly fields: readonly string[]
}

/** Reasons for refusing a token. Clients renew a token when the response has one of these words (spec: authentication 9). */
export type TokenError = 'elsewhere' | 'expired' | 'invalid' | 'revoked' | 'suspended'

/** Looks up a bearer token. Must await a validation of changes that was sent after the call, since cached responses depend on it. */
export type FindCaller = (token: string) => Promise<Caller | TokenError>
