import type { EndpointOverview } from '../../../webhooks/overview.ts'
import { reasonText } from '../../../webhooks/stored-reasons.ts'
import { badge } from '../../badge.ts'
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
