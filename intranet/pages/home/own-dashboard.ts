import { ratedApplicationsOf } from '../../oauth/applications/all.ts'
import { callsOfOwn } from '../../oauth/call-counts.ts'
import {
  type EvaluationToCome,
  evaluationsToCome,
  eventsToCome,
  offersToCome,
  projectsAtWork,
} from '../../school/domain/school/agenda.ts'
import { ask } from '../ask.ts'
import { badge, card, empty, figures, type Line, list } from '../components.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { currentCursus, levelRing } from '../level-ring.ts'
import type { PersonPageContext } from '../page-context.ts'
import { projectState } from '../project-state.ts'
import { hourOf, timeFromNow, timeOf } from '../times.ts'

const SHOWN = 6

export async function ownDashboard(context: PersonPageContext): Promise<Html> {
  const { database, clock } = context.dependencies
  const own = { userId: context.person.id, now: clock.now(), limit: SHOWN }
  const evaluations = await evaluationsToCome(database, own)
  return html`
  ${await atAGlance(context, evaluations[0])}
  <div class="grid">
    ${card(
      say('Your projects'),
      listOr(
        await projectsAtWork(database, own),
        () => empty(say('You work on no project.'), { path: '/projects', label: say('Find a project') }),
        ({ project_id, name, status, updated_at }) => ({
          title: html`<a href="/projects/${project_id}">${name}</a> ${badge('note', projectState(status))}`,
          more: sayWith('since {time}', { time: timeOf(context, updated_at) }),
        }),
      ),
    )}
    ${card(
      say('Evaluations to come'),
      listOr(evaluations, noEvaluation, ({ project, begin_at, isCorrector }) => ({
        title: html`${project} ${isCorrector ? badge('note', say('you evaluate')) : badge('waiting', say('you are evaluated'))}`,
        more: timeOf(context, begin_at),
      })),
    )}
    ${card(
      say('Slots you offer'),
      listOr(await offersToCome(database, own), noSlot, ({ begin_at, end_at, isBooked }) => ({
        title: html`${timeOf(context, begin_at)} – ${hourOf(context, end_at)} ${isBooked ? badge('waiting', say('booked')) : badge('good', say('free'))}`,
      })),
    )}
    ${card(
      say('Events to come'),
      listOr(
        await eventsToCome(database, own),
        () => empty(say('You are registered for no event.'), { path: '/events', label: say('See the events') }),
        ({ id, name, location, begin_at, waiting }) => ({
          title: html`<a href="/events/${id}">${name}</a> ${waiting ? badge('waiting', say('waiting for a place')) : badge('good', say('registered'))}`,
          more: html`${timeOf(context, begin_at)}${location ? ` · ${location}` : ''}`,
        }),
      ),
    )}
    ${card(say('Your applications'), await applications(context))}
  </div>`
}

const noEvaluation = () =>
  empty(say('No evaluation is booked.'), { path: '/evaluations', label: say('Book an evaluation') })
const noSlot = () =>
  empty(say('You offer no time for evaluations.'), { path: '/evaluations', label: say('Offer time') })

const listOr = <T>(records: readonly T[], none: () => Html, lineOf: (record: T) => Line): Html =>
  records.length === 0 ? none() : list(records, '', lineOf)

async function applications({ person, dependencies: { database, clock } }: PersonPageContext): Promise<Html> {
  const found = await ratedApplicationsOf(database, person.id)
  if (found.length === 0)
    return empty(say('You have not registered any yet.'), {
      path: '/applications/new',
      label: say('Register an application'),
    })
  const calls = new Map((await callsOfOwn(database, person.id, clock.now())).map((one) => [one.id, one]))
  return list(found.slice(0, SHOWN), '', ({ id, name, ratePerHour }) => {
    const { thisHour = 0, lastDay = 0, refused = 0 } = calls.get(id) ?? {}
    return {
      title: html`<a href="/applications/${id}">${name}</a> ${refused > 0 ? badge('bad', say('{count, number} refused', { count: refused })) : ''}`,
      more: html`${say('{calls, plural, one {# call} other {# calls}} in a day', { calls: lastDay })} · ${say(
        '{left, number} of {rate, number} calls remain this hour',
        { left: Math.max(0, ratePerHour - thisHour), rate: ratePerHour },
      )}`,
    }
  })
}

async function atAGlance(context: PersonPageContext, next: EvaluationToCome | undefined): Promise<Html> {
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
      { value: me.wallet, label: say('wallet') },
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
