import type { BriefDelivery } from '../../../webhooks/delivery-log.ts'
import type { EndpointOverview } from '../../../webhooks/overview.ts'
import { reasonText } from '../../../webhooks/stored-reasons.ts'
import { badge, type Tone } from '../../badge.ts'
import { type Html, html } from '../../html.ts'
import type { PageContext } from '../../page-context.ts'
import { say, sayWith } from '../../say.ts'
import { timeOf } from '../../times.ts'

/** The name of a webservice, which has none of its own. */
export const endpointName = ({ campuses, id }: Pick<EndpointOverview, 'campuses' | 'id'>): string =>
  campuses.join(', ') || say('Endpoint {id}', { id: String(id) })

/** The state of a webservice, in words. */
export function endpointState(context: PageContext, endpoint: EndpointOverview): Html {
  const { active, switchedOffAt, switchedOffBecause, failingSince } = endpoint
  if (active && failingSince)
    return sayWith('{state} but nothing but failures since {time}', {
      state: badge('waiting', say('On')),
      time: timeOf(context, failingSince),
    })
  if (active) return badge('good', say('On'))
  return switchedOffAt
    ? sayWith('{state} at {time}: {why}', {
        state: badge('bad', say('Given up')),
        time: timeOf(context, switchedOffAt),
        why: switchedOffBecause === null ? '' : say(reasonText(switchedOffBecause)),
      })
    : html`${sayWith('{state}: nothing is delivered', { state: badge('quiet', say('Switched off')) })}`
}

type State = BriefDelivery['state']

const TONES: Readonly<Record<State, Tone>> = { pending: 'waiting', delivered: 'good', rejected: 'bad', dead: 'bad' }

const TEXTS: Readonly<Record<State, () => string>> = {
  pending: () => say('pending'),
  delivered: () => say('delivered'),
  rejected: () => say('rejected'),
  dead: () => say('dead'),
}

/** The state of a delivery, in a word. */
export const stateText = (state: State): string => TEXTS[state]?.() ?? state

/** The same as a badge. */
export const stateBadge = (state: State): Html => badge(TONES[state] ?? 'quiet', stateText(state))

/** The result of the last attempt of a delivery, or that there was none. */
export function resultOf({ status, error, state, tries }: BriefDelivery): string {
  if (status !== null && error === null) return say('answered {status}', { status: String(status) })
  if (error !== null) return say(reasonText(error))
  return state === 'pending' && tries === 0 ? say('not attempted yet') : ''
}
