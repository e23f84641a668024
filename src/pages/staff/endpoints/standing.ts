import type { BriefDelivery } from '../../../webhooks/delivery-log.ts'
import type { EndpointOverview } from '../../../webhooks/overview.ts'
import { badge, type Tone } from '../../badge.ts'
import { type Html, html } from '../../html.ts'
import { timeOf } from '../../times.ts'
import type { Visit } from '../../visit.ts'

/** Whether a webservice is switched on, and how it goes, in a sentence. */
export function standingOf(visit: Visit, endpoint: EndpointOverview): Html {
  const { active, switchedOffAt, switchedOffBecause, failingSince } = endpoint
  if (active && failingSince)
    return html`${badge('waiting', 'On')} but nothing but failures since ${timeOf(visit, failingSince)}`
  if (active) return badge('good', 'On')
  return switchedOffAt
    ? html`${badge('bad', 'Given up')} at ${timeOf(visit, switchedOffAt)}: ${switchedOffBecause}`
    : html`${badge('quiet', 'Switched off')}: nothing is delivered`
}

const TONES: Readonly<Record<BriefDelivery['state'], Tone>> = {
  pending: 'waiting',
  delivered: 'good',
  rejected: 'bad',
  dead: 'bad',
}

/** What has become of a delivery. */
export const stateBadge = (state: BriefDelivery['state']): Html => badge(TONES[state] ?? 'quiet', state)

/** The result of the last attempt of a delivery, or that there was none. */
export function resultOf({ status, error, state, tries }: BriefDelivery): string {
  if (status !== null && error === null) return `answered ${status}`
  if (error !== null) return error
  return state === 'pending' && tries === 0 ? 'not attempted yet' : ''
}
