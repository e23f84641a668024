import type { Handle } from '@campus/engine/database/database'
import type { DueWork, leaseDue } from '@campus/engine/database/due-work'
import type { DeliveryResult } from './delivery-result.ts'
import type { DeliveryTables } from './delivery-tables.ts'
import type { LeasedDelivery, SecretsState, Subscription } from './leased-delivery.ts'

export type Claim = Omit<Parameters<typeof leaseDue>[2], 'values'>

/** A kind of deliveries, which the sender and all else that looks after deliveries is the same for: where they are, and what is sent. */
export type DeliveryKind<D extends LeasedDelivery, S extends Subscription> = {
  readonly tables: DeliveryTables
  readonly work: DueWork
  /** Leases due deliveries, up to the capacity of each subscription. */
  lease(handle: Handle, claim: Claim): Promise<readonly D[]>
  /** Tables that `readSubscriptions` reads. */
  readonly subscriptionTables: readonly string[]
  /** The enabled subscriptions, by their id. */
  readSubscriptions(handle: Handle): Promise<ReadonlyMap<number, S>>
  /** Composes the request to send. */
  compose(delivery: D, subscription: S, at: Date): Promise<Composed>
  /** Returns the fields of a delivery for the log. */
  logged(delivery: D): Readonly<Record<string, string | number>>
  /** Called after these subscriptions were disabled, in the same transaction. */
  afterDisabling(tx: Handle, now: Date, ids: readonly number[]): Promise<void>
  /** Called when deliveries begin to be sent; gives what ends that. */
  begin?(onError: (error: unknown) => void): () => Promise<void>
}

/** The body and what belongs to it; or why the delivery is not to be sent any more, as it is stored. */
export type Composed =
  | {
      readonly body: string
      readonly headers: Readonly<Record<string, string>>
      /** Returns the address of the delivery, below the address of the subscription. */
      address(url: string): URL
      /** Texts to redact in the stored response, besides the secret of the subscription. */
      readonly confidential: readonly string[]
      secretsAfter(result: DeliveryResult): SecretsState
    }
  | { readonly withheld: string }
