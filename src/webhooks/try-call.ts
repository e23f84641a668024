import type { KeyObject } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { addressOf, bodyOf, type Event, pathOf, webhookHeaders } from './call.ts'
import { leavesOf, redact } from './redact.ts'
import type { Chance } from './schedule.ts'
import { openParts, type Sealing, type Secrets } from './sealing.ts'
import type { Outcome, Transport } from './transport.ts'
import { judge, type Verdict } from './verdict.ts'

/** A call that this process has taken. */
export type TakenCall = {
  readonly id: number
  readonly webhookId: string
  readonly endpointId: number
  readonly userId: number
  readonly login: string
  readonly event: Event
  readonly record: string
  readonly sealed: string | null
  /** Tries so far. */
  readonly tries: number
  readonly createdAt: Date
  readonly leasedUntil: Date
}

/** Where calls go. */
export type Target = {
  readonly id: number
  readonly url: string
  /** Undefined where the key that sealed it is not ours. */
  readonly secret: string | null | undefined
  /** Signs with the secret. */
  readonly signer: KeyObject | null
}

/** What became of the password and meta that were to go along. */
export type SecretsState = 'none' | 'sealed' | 'sent' | 'lost' | 'erased'

/** A try and what it came to, to be written down; or a call that is handed back untried. */
export type Tried =
  | { readonly id: number; readonly endpointId: number; readonly kind: 'given back' }
  | {
      readonly id: number
      readonly endpointId: number
      readonly kind: 'tried'
      readonly at: Date
      readonly endedAt: Date
      readonly verdict: Verdict
      readonly status: number | null
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
  readonly giveBack: AbortSignal
}

/** The longest that a password or meta waits, sealed, to be told (decisions §7). */
export const SEALED_AT_MOST_MS = 72 * 3_600_000
const NOTHING: Secrets = { password: null, meta: null }
const UNREADABLE = 'the secret of the webservice cannot be opened: it was sealed with another CAMPUS_SECRET_KEY'
const USER_AGENT = 'Campus-Intranet-Webhooks/1'

/** Makes a call once. */
export async function tryCall(call: TakenCall, target: Target, dependencies: Dependencies): Promise<Tried> {
  const { transport, clock, sealing, chance, giveBack } = dependencies
  const { id, endpointId, userId, sealed } = call
  const at = clock.now()
  const begun = performance.now()
  const isTooOld = at.getTime() - call.createdAt.getTime() > SEALED_AT_MOST_MS
  const parts = sealed === null || isTooOld ? undefined : openParts(sealing, userId, sealed)
  const body = bodyOf({ ...call, secret: target.secret ?? null, parts: parts ?? NOTHING })
  const outcome = await post(transport, call, target, { at, body, giveBack })
  if (outcome.kind === 'given back') return { id, endpointId, kind: 'given back' }

  const endedAt = clock.now()
  const verdict = judge(outcome, { tries: call.tries + 1, at: endedAt }, chance)
  const secrets = [target.secret ?? '', ...leavesOf(parts ?? NOTHING)]
  return {
    id,
    endpointId,
    kind: 'tried',
    at,
    endedAt,
    verdict,
    status: outcome.kind === 'answered' ? outcome.status : null,
    error: outcome.kind === 'answered' ? null : redact(Buffer.from(outcome.error), secrets, false),
    answer: outcome.kind === 'answered' ? redact(outcome.answer, secrets, outcome.isCut) : null,
    milliseconds: Math.round(performance.now() - begun),
    secrets: secretsAfter(sealed, isTooOld, parts, verdict),
  }
}

type Attempt = { readonly at: Date; readonly body: string; readonly giveBack: AbortSignal }

async function post(transport: Transport, call: TakenCall, target: Target, attempt: Attempt): Promise<Outcome> {
  if (!URL.canParse(target.url)) return { kind: 'failed', error: 'the address of the webservice is not a URL' }
  if (target.secret === undefined) return { kind: 'failed', error: UNREADABLE }
  const signed = webhookHeaders({ ...attempt, id: call.webhookId, key: target.signer })
  const headers = { 'user-agent': USER_AGENT, ...signed }
  return transport.post(
    target.id,
    { url: addressOf(target.url, pathOf(call)), headers, body: attempt.body },
    attempt.giveBack,
  )
}

function secretsAfter(
  sealed: string | null,
  isTooOld: boolean,
  parts: Secrets | undefined,
  { state }: Verdict,
): SecretsState {
  if (sealed === null) return 'none'
  if (!parts) return isTooOld ? 'erased' : 'lost'
  if (state === 'pending') return 'sealed'
  return state === 'dead' ? 'erased' : 'sent'
}
