import type { EvaluationToCome } from '../../school/domain/school/agenda.ts'
import { ask } from '../ask.ts'
import { figures } from '../components.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { currentCursus, levelRing } from '../level-ring.ts'
import type { PersonPageContext } from '../page-context.ts'
import { timeFromNow, timeOf } from '../times.ts'

/** Where somebody stands, and what comes next for them. */
export async function atAGlance(context: PersonPageContext, next: EvaluationToCome | undefined): Promise<Html> {
  const { person, dependencies } = context
  const { value: me } = await ask(context, '/v2/users/{id}', { path: { id: person.id } })
  const { value: coalitions } = await ask(context, '/v2/users/{user_id}/coalitions', {
    path: { user_id: person.id },
  })
  const current = currentCursus(me.cursus_users, dependencies.clock.now())
  const coalition = coalitions.at(-1)
  return html`
  <section class="card glance" aria-label="${say('At a glance')}">
    ${
      current
        ? html`<div class="ring-beside">${levelRing(current.level)}<span><strong>${say('level {level, number}', { level: current.level })}</strong><br>
      <span class="quiet">${[current.cursus.name, ...(coalition ? [coalition.name] : [])].join(' · ')}</span></span></div>`
        : ''
    }
    ${figures([
      { value: me.correction_point, label: say('evaluation points'), path: '/evaluations' },
      { value: say('{count, number}', { count: me.wallet }), label: say('wallet') },
    ])}
    <p>${
      next
        ? html`${sayWith('{name}: {value}', {
            name: html`<strong>${timeFromNow(context, next.begin_at)}</strong>`,
            value: next.isCorrector
              ? sayWith('you evaluate {project}', { project: next.project })
              : sayWith('{project} is evaluated', { project: next.project }),
          })} <span class="quiet">${timeOf(context, next.begin_at)}</span>`
        : html`<span class="quiet">${say('No evaluation is booked.')}</span>`
    }<br><a href="/people/${encodeURIComponent(me.login)}">${say('My profile')}</a></p>
  </section>`
}
