import type { Handle } from '../database/database.ts'

/** The application behind a request, with what it may do. */
export type CallingApplication = {
  readonly id: number
  readonly uid: string
  readonly name: string
  readonly roles: readonly string[]
  readonly ratePerSecond: number
  readonly ratePerHour: number
  readonly ownerId?: number | null
  /** Whether its requests spend one rate of the user, which all such applications share. */
  readonly isRatedByUser?: boolean
}

/** The caller: an application with the token's scopes, perhaps on behalf of a person (`resourceOwnerId`). */
export type Caller = {
  readonly application: CallingApplication
  readonly scopes: readonly string[]
  readonly resourceOwnerId: number | null
  /** The command of the command line that stands in for an application, such as "import". */
  readonly command?: string
  /** The address that a write came from. */
  readonly address?: string
  /** Checks the caller's power over a record. Called in the transaction before and after a write. Throws 403. */
  readonly authorizeWrite?: (tx: Handle, table: string, id: number) => Promise<void>
  /** Called in the transaction of each write of a record by a route, as where writes are audited. */
  readonly onWrite?: (tx: Handle, written: WrittenRecord) => Promise<void>
}

/** The part of a caller that says whom their work counts for. */
export type Counted = {
  readonly resourceOwnerId: number | null
  readonly application: Pick<CallingApplication, 'id' | 'ownerId'>
}

/** The person whom the work of a caller counts for: the user, else the owner of the application, else the application itself (negative). */
export const personOf = ({ resourceOwnerId, application }: Counted): number =>
  resourceOwnerId ?? application.ownerId ?? -application.id

/** A record that was written. */
export type WrittenRecord = {
  readonly resource: string
  readonly id: number
  /** `create`, `update`, `destroy` or the name of another action. */
  readonly action: string
  /** The names of what was sent. */
  readonly fields: readonly string[]
}

/** Why a presented token is not accepted, in the words by which clients renew it (spec: authentication 9). */
export type TokenError = 'elsewhere' | 'expired' | 'invalid' | 'revoked' | 'suspended'

/**
 * Looks a bearer token up. Must resolve after a validation of changes (`Changes.validate`) that was sent after the call, since cached
 * responses are checked against it.
 */
export type FindCaller = (token: string) => Promise<Caller | TokenError>
