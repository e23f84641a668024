import type { BriefDelivery } from '../webhooks/delivery-log.ts'
import { reasonText } from '../webhooks/stored-reasons.ts'
import { badge, type Tone } from './components.ts'
import { type Html, say } from './html.ts'

type State = BriefDelivery['state']

const TONES: Readonly<Record<State, Tone>> = { pending: 'waiting', delivered: 'good', rejected: 'bad', dead: 'bad' }

const TEXTS: Readonly<Record<State, () => string>> = {
  pending: () => say('pending'),
  delivered: () => say('delivered'),
  rejected: () => say('rejected'),
  dead: () => say('dead'),
}

export const stateText = (state: State): string => TEXTS[state]?.() ?? state

export const stateBadge = (state: State): Html => badge(TONES[state] ?? 'quiet', stateText(state))

/** Describes the last attempt of a delivery, or that there was none. `textOf` returns the text of a stored reason. */
export function resultOf(
  { status, error, state, tries }: Pick<BriefDelivery, 'status' | 'error' | 'state' | 'tries'>,
  textOf = reasonText,
): string {
  if (status !== null && error === null) return say('answered {status}', { status: String(status) })
  if (error !== null) return say(textOf(error))
  return state === 'pending' && tries === 0 ? say('not attempted yet') : ''
}
