import type { KeyObject } from 'node:crypto'

/** A delivery that this process holds the lease of. */
export type LeasedDelivery = {
  readonly id: number
  /** Idempotency id. It is the same on every attempt. */
  readonly messageId: string
  readonly subscriptionId: number
  /** How many attempts have been made so far. */
  readonly attempts: number
  readonly createdAt: Date
  /** By the monotonic clock of this process, `performance.now()`. */
  readonly leasedUntil: number
}

/** Destination of the deliveries of an enabled endpoint or webhook. */
export type Subscription = {
  readonly subscriptionId: number
  /** Identifies the owner. The subscriptions of one owner share a limit on attempts. */
  readonly owner: number
  readonly url: string
  /** Undefined if this process does not have the key that sealed the secret. */
  readonly secret: string | null | undefined
  /** Signs with the secret. */
  readonly signer: KeyObject | null
}

/** The state of a delivery's password and meta. */
export type SecretsState = 'none' | 'sealed' | 'sent' | 'lost' | 'erased'
