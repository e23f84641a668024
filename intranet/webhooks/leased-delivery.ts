import type { KeyObject } from 'node:crypto'

export type LeasedDelivery = {
  readonly id: number
  /** The same on every attempt. */
  readonly messageId: string
  readonly subscriptionId: number
  readonly attempts: number
  readonly createdAt: Date
  /** A time of `performance.now()`. */
  readonly leasedUntil: number
}

/** An endpoint or webhook that is enabled. */
export type Subscription = {
  readonly subscriptionId: number
  /** Subscriptions of one owner share a limit on attempts. */
  readonly owner: number
  readonly url: string
  /** Undefined if the secret was sealed with another key. */
  readonly secret: string | null | undefined
  readonly signer: KeyObject | null
}

/** State of a delivery's password and meta. */
export type SecretsState = 'none' | 'sealed' | 'sent' | 'lost' | 'erased'
