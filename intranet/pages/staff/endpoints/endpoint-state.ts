import type { EndpointOverview } from '../../../webhooks/overview.ts'
import { reasonText } from '../../../webhooks/stored-reasons.ts'
import { badge } from '../../components.ts'
import { type Html, html, say, sayWith } from '../../html.ts'
import type { PageContext } from '../../page-context.ts'
import { timeOf } from '../../times.ts'

/** A webservice has no name of its own. */
export const endpointName = ({ campuses, id }: Pick<EndpointOverview, 'campuses' | 'id'>): string =>
  campuses.join(', ') || say('Endpoint {id}', { id: String(id) })

export function endpointState(context: PageContext, endpoint: EndpointOverview): Html {
  const { isEnabled, disabledAt, disabledReason, failingSince } = endpoint
  if (isEnabled && failingSince)
    return sayWith('{state} but nothing but failures since {time}', {
      state: badge('waiting', say('On')),
      time: timeOf(context, failingSince),
    })
  if (isEnabled) return badge('good', say('On'))
  return disabledAt
    ? sayWith('{state} at {time}: {why}', {
        state: badge('bad', say('Given up')),
        time: timeOf(context, disabledAt),
        why: disabledReason === null ? '' : say(reasonText(disabledReason)),
      })
    : html`${sayWith('{state}: nothing is delivered', { state: badge('quiet', say('Switched off')) })}`
}
