import type { Handle } from '@campus/engine/database/database'
import type { DueWork, leaseDue } from '@campus/engine/database/due-work'
import type { DeliveryResult } from './delivery-result.ts'
import type { DeliveryTables } from './delivery-tables.ts'
import type { LeasedDelivery, SecretsState, Subscription } from './leased-delivery.ts'

export type Claim = Omit<Parameters<typeof leaseDue>[2], 'values'>

/** A kind of delivery: its tables, and the content to send. */
export type DeliveryKind<D extends LeasedDelivery, S extends Subscription> = {
  readonly tables: DeliveryTables
  readonly work: DueWork
  lease(handle: Handle, claim: Claim): Promise<readonly D[]>
  /** Tables that `readSubscriptions` reads. */
  readonly subscriptionTables: readonly string[]
  readSubscriptions(handle: Handle): Promise<ReadonlyMap<number, S>>
  compose(delivery: D, subscription: S, at: Date): Promise<Composed>
  logged(delivery: D): Readonly<Record<string, string | number>>
  /** Called in the transaction that disabled these subscriptions. */
  afterDisabling(tx: Handle, now: Date, ids: readonly number[]): Promise<void>
  /** Called before the first delivery is sent. Returns the function that undoes it. */
  begin?(onError: (error: unknown) => void): () => Promise<void>
}

/** The content to send, or the stored reason not to send it. */
export type Composed =
  | {
      readonly body: string
      readonly headers: Readonly<Record<string, string>>
      address(url: string): URL
      /** Texts to redact in the stored answer, besides the secret of the subscription. */
      readonly confidential: readonly string[]
      secretsAfter(result: DeliveryResult): SecretsState
    }
  | { readonly withheld: string }
