import type { BriefDelivery, findDelivery } from '../webhooks/delivery-log.ts'
import { reasonForOwner, reasonText } from '../webhooks/stored-reasons.ts'
import { badge, type Tone, table } from './components.ts'
import { type Html, html, say } from './html.ts'
import type { PageContext } from './page-context.ts'
import { timeOf } from './times.ts'

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

type Attempts = Awaited<ReturnType<typeof findDelivery>>['attempts']

export function attemptTable(
  context: PageContext,
  attempts: Attempts,
  { isForStaff }: { readonly isForStaff: boolean },
): Html | '' {
  if (attempts.length === 0) return ''
  const textOf = isForStaff ? reasonText : reasonForOwner
  return html`<h2>${say('Attempts')}</h2>${table(
    say('Attempts'),
    [say('At'), say('Result'), say('Took')],
    attempts.map(({ at, status, error, milliseconds }) => [
      timeOf(context, new Date(at)),
      error === null ? say('answered {status}', { status: String(status) }) : say(textOf(error)),
      // The time until a connection fails would reveal to an owner whether a port is closed or filtered.
      isForStaff || error === null ? say('{milliseconds, number} ms', { milliseconds }) : '',
    ]),
  )}`
}
