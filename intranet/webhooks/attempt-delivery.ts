import type { Clock } from '@campus/engine/base/clock'
import type { Chance } from '@campus/engine/base/retry-schedule'
import { DatabaseBusy, isDatabaseAway } from '@campus/engine/database/errors'
import type { Composed, DeliveryKind } from './delivery-kind.ts'
import { webhookHeaders } from './delivery-request.ts'
import { classify, type DeliveryResult } from './delivery-result.ts'
import type { LeasedDelivery, SecretsState, Subscription } from './leased-delivery.ts'
import { redact, redactError } from './redact.ts'
import { storedReason } from './stored-reasons.ts'
import type { PostResult, Transport } from './transport.ts'

/** Outcome of an attempt; `released` if none was made, `withheld` if the delivery must not be sent any more. */
export type Outcome = { readonly id: number; readonly subscriptionId: number } & (
  | { readonly kind: 'released' }
  | {
      readonly kind: 'withheld'
      readonly endedAt: Date
      /** A stored reason. */
      readonly error: string
    }
  | {
      readonly kind: 'attempted'
      readonly at: Date
      readonly endedAt: Date
      readonly deliveryResult: DeliveryResult
      readonly status: number | null
      /** A stored reason. */
      readonly error: string | null
      readonly answer: string | null
      readonly milliseconds: number
      /** Every state except `sealed` erases the sealed text. */
      readonly secrets: SecretsState
    }
)

type Dependencies<D extends LeasedDelivery, S extends Subscription> = {
  readonly kind: Pick<DeliveryKind<D, S>, 'compose'>
  readonly transport: Transport
  readonly clock: Clock
  readonly chance: Chance
  /** Stops the attempt and releases the delivery. */
  readonly signal: AbortSignal
  /** Called if the content cannot be read, which counts as a failure. */
  readonly onError: (error: unknown) => void
}

const USER_AGENT = 'Campus-Intranet-Webhooks/1'

export async function attemptDelivery<D extends LeasedDelivery, S extends Subscription>(
  delivery: D,
  subscription: S,
  dependencies: Dependencies<D, S>,
): Promise<Outcome> {
  const { clock, chance, kind, signal } = dependencies
  const { id, subscriptionId } = delivery
  const at = clock.now()
  const begun = performance.now()
  const composed = await kind.compose(delivery, subscription, at).catch((error) => {
    if (isDatabaseAway(error) || error instanceof DatabaseBusy) return 'later'
    dependencies.onError(error)
    return NOT_READ
  })
  if (composed === 'later' || signal.aborted) return { id, subscriptionId, kind: 'released' }
  if ('withheld' in composed)
    return { id, subscriptionId, kind: 'withheld', endedAt: clock.now(), error: composed.withheld }
  const result =
    'failed' in composed ? composed.failed : await post(delivery, subscription, { at, composed }, dependencies)
  if (result.kind === 'aborted') return { id, subscriptionId, kind: 'released' }

  const endedAt = clock.now()
  const deliveryResult = classify(result, { attempts: delivery.attempts + 1, at: endedAt }, chance)
  const confidential = [subscription.secret ?? '', ...('failed' in composed ? [] : composed.confidential)]
  return {
    id,
    subscriptionId,
    kind: 'attempted',
    at,
    endedAt,
    deliveryResult,
    status: result.kind === 'answered' ? result.status : null,
    error: result.kind === 'answered' ? null : redactError(result.error, confidential),
    answer: result.kind === 'answered' ? redact(result.answer, confidential, result.isCut) : null,
    milliseconds: Math.round(performance.now() - begun),
    secrets: 'failed' in composed ? 'none' : composed.secretsAfter(deliveryResult),
  }
}

const NOT_READ = { failed: { kind: 'failed', error: storedReason('not_read') } } as const

type Content = { readonly at: Date; readonly composed: Exclude<Composed, { withheld: string }> }

async function post<D extends LeasedDelivery, S extends Subscription>(
  { messageId }: D,
  { subscriptionId, url, secret, signer }: S,
  { at, composed: { body, headers, address } }: Content,
  { transport, signal }: Dependencies<D, S>,
): Promise<PostResult> {
  if (!URL.canParse(url)) return { kind: 'failed', error: storedReason('bad_url') }
  if (secret === undefined) return { kind: 'failed', error: storedReason('sealed_secret') }
  const signed = webhookHeaders({ id: messageId, at, body, signer })
  const request = { url: address(url), headers: { 'user-agent': USER_AGENT, ...headers, ...signed }, body }
  return transport.post(subscriptionId, request, signal)
}
