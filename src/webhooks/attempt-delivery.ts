import type { KeyObject } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Chance } from '../base/retry-schedule.ts'
import { addressOf, bodyOf, pathOf, webhookHeaders } from './delivery-request.ts'
import { classify, type DeliveryResult } from './delivery-result.ts'
import { leavesOf, redact } from './redact.ts'
import { openSecrets, type Sealing, type Secrets } from './sealing.ts'
import { storedReason } from './stored-reasons.ts'
import type { PostResult, Transport } from './transport.ts'
import type { WebhookEvent } from './webhook-events.ts'

/** A delivery that this process holds the lease of. */
export type LeasedDelivery = {
  readonly id: number
  readonly webhookId: string
  readonly endpointId: number
  readonly userId: number
  readonly login: string
  readonly event: WebhookEvent
  readonly record: string
  readonly sealed: string | null
  /** How many attempts have been made so far. */
  readonly attempts: number
  readonly createdAt: Date
  readonly leasedUntil: Date
}

/** Where the deliveries of an active endpoint go. */
export type Subscription = {
  readonly endpointId: number
  readonly url: string
  /** Undefined where it was sealed with a key that this process does not have. */
  readonly secret: string | null | undefined
  /** Signs with the secret. */
  readonly signer: KeyObject | null
}

/** The state of a delivery's password and meta. */
export type SecretsState = 'none' | 'sealed' | 'sent' | 'lost' | 'erased'

/** The outcome of an attempt, to be recorded; or a delivery that is released without one. */
export type Outcome =
  | { readonly id: number; readonly endpointId: number; readonly kind: 'released' }
  | {
      readonly id: number
      readonly endpointId: number
      readonly kind: 'attempted'
      readonly at: Date
      readonly endedAt: Date
      readonly deliveryResult: DeliveryResult
      readonly status: number | null
      /** As it is stored. */
      readonly error: string | null
      readonly answer: string | null
      readonly milliseconds: number
      /** What it is from now on; everything but `sealed` erases the sealed text. */
      readonly secrets: SecretsState
    }

type Dependencies = {
  readonly transport: Transport
  readonly clock: Clock
  readonly sealing: Sealing
  readonly chance: Chance
  /** Stops the attempt; the delivery is released then. */
  readonly signal: AbortSignal
}

/** How long a password or meta is stored, sealed, at most (spec: webhooks 14). */
export const MAX_SEALED_MS = 72 * 3_600_000
const NOTHING: Secrets = { password: null, meta: null }
const USER_AGENT = 'Campus-Intranet-Webhooks/1'

/** Makes one attempt at a delivery. */
export async function attemptDelivery(
  delivery: LeasedDelivery,
  subscription: Subscription,
  dependencies: Dependencies,
): Promise<Outcome> {
  const { clock, sealing, chance } = dependencies
  const { id, endpointId, userId, sealed } = delivery
  const at = clock.now()
  const begun = performance.now()
  const isTooOld = at.getTime() - delivery.createdAt.getTime() > MAX_SEALED_MS
  const secrets = sealed === null || isTooOld ? undefined : openSecrets(sealing, userId, sealed)
  const body = bodyOf({ ...delivery, key: subscription.secret ?? null, secrets: secrets ?? NOTHING })
  const result = await post(delivery, subscription, { at, body }, dependencies)
  if (result.kind === 'aborted') return { id, endpointId, kind: 'released' }

  const endedAt = clock.now()
  const deliveryResult = classify(result, { attempts: delivery.attempts + 1, at: endedAt }, chance)
  const confidential = [subscription.secret ?? '', ...leavesOf(secrets ?? NOTHING)]
  return {
    id,
    endpointId,
    kind: 'attempted',
    at,
    endedAt,
    deliveryResult,
    status: result.kind === 'answered' ? result.status : null,
    error: result.kind === 'answered' ? null : redact(Buffer.from(result.error), confidential, false),
    answer: result.kind === 'answered' ? redact(result.answer, confidential, result.isCut) : null,
    milliseconds: Math.round(performance.now() - begun),
    secrets: secretsAfter(sealed, isTooOld, secrets, deliveryResult),
  }
}

type Content = { readonly at: Date; readonly body: string }

async function post(
  delivery: LeasedDelivery,
  { endpointId, url, secret, signer }: Subscription,
  { at, body }: Content,
  { transport, signal }: Dependencies,
): Promise<PostResult> {
  if (!URL.canParse(url)) return { kind: 'failed', error: storedReason('bad_url') }
  if (secret === undefined) return { kind: 'failed', error: storedReason('sealed_secret') }
  const signed = webhookHeaders({ id: delivery.webhookId, at, body, signer })
  const headers = { 'user-agent': USER_AGENT, ...signed }
  return transport.post(endpointId, { url: addressOf(url, pathOf(delivery)), headers, body }, signal)
}

function secretsAfter(
  sealed: string | null,
  isTooOld: boolean,
  opened: Secrets | undefined,
  { state }: DeliveryResult,
): SecretsState {
  if (sealed === null) return 'none'
  if (!opened) return isTooOld ? 'erased' : 'lost'
  if (state === 'pending') return 'sealed'
  return state === 'dead' ? 'erased' : 'sent'
}
