import { curriculumOf } from '../../school/domain/projects/curriculum.ts'
import { apiPreview } from '../api-preview.ts'
import { type Answer, ask } from '../ask.ts'
import { avatar, ownPicture } from '../avatar.ts'
import { badge, card, empty, figures, list } from '../components.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type CursusUser, currentCursus, levelRing } from '../level-ring.ts'
import { type PersonPageContext, page, pageContent } from '../page.ts'
import { dateOf, monthOf, timeOf } from '../times.ts'
import { curriculumGraph, graphLegend, withStates } from './curriculum-graph.ts'
import { logtimeMap } from './logtime.ts'
import { evaluationCount, evaluationList, pastEvaluations } from './participants.ts'
import { projectResults } from './project-results.ts'
import { dotOf } from './shares.ts'
import { skillsRadar } from './skills-radar.ts'

type Person = Answer<'/v2/users/{id}'>
type Coalitions = Answer<'/v2/users/{user_id}/coalitions'>
type Memberships = Answer<'/v2/users/{user_id}/coalitions_users'>

const ACHIEVEMENTS_SHOWN = 8
const EVENTS_SHOWN = 5

export const person = page({
  path: '/people/:login',
  access: 'signed-in',
  async show(context) {
    const found = await ask(context, '/v2/users/{id}', { path: { id: context.params.login ?? '' } })
    const one = found.value
    const path = { user_id: one.id }
    const current = currentCursus(one.cursus_users, context.dependencies.clock.now())
    const logtime = await ask(context, '/v2/users/{id}/locations_stats', { path: { id: one.id } })
    const coalitions = await ask(context, '/v2/users/{user_id}/coalitions', { path })
    const memberships = await ask(context, '/v2/users/{user_id}/coalitions_users', { path })
    const given = await pastEvaluations(context, one.id, 'as_corrector')
    const received = await pastEvaluations(context, one.id, 'as_corrected')
    const events = await ask(context, '/v2/users/{user_id}/events', {
      path,
      query: { 'filter[future]': true, sort: 'begin_at', per_page: EVENTS_SHOWN },
    })
    const isSelf = one.id === context.person.id
    return pageContent(
      one.displayname,
      html`
      ${coverOf(coalitions.value)}
      <p class="person-line">${avatar(one, 'large')}
        <span><span class="code">${one.login}</span> ${badgesOf(one)}<br>
        <span class="quiet" data-refresh="presence" data-watch="/v2/users/${one.id}/locations?filter[active]=true">${one.location ? say('Sits at {host} now', { host: one.location }) : say('Not logged in now')}
          ${one.campus.map(({ id, name }) => html` · <a href="/campuses/${id}">${name}</a>`)}</span></span></p>
      ${isSelf ? html`<p><a class="button second" href="/profile/picture">${say('Change my picture')}</a></p>` : ''}
      <section class="card" aria-label="${say('At a glance')}">${figures([
        ...(current ? [{ value: say('{level, number}', { level: current.level }), label: current.cursus.name }] : []),
        { value: validated(one), label: say('projects validated') },
        { value: one.correction_point, label: say('evaluation points') },
        { value: one.wallet, label: say('wallet') },
      ])}</section>
      <div class="grid large">
        ${card(say('Level by cursus'), levels(context, one.cursus_users, isSelf))}
        ${card(say('Coalition'), coalitionsOf(coalitions.value, memberships.value))}
        ${current && current.skills.length > 0 ? card(say('Skills in {cursus}', { cursus: current.cursus.name }), skillsRadar(current.skills)) : ''}
        ${card(
          say('Events to come'),
          list(events.value, say('Registered for no event.'), (event) => ({
            title: html`<a href="/events/${event.id}">${event.name}</a>`,
            more: html`${timeOf(context, new Date(event.begin_at))}`,
          })),
        )}
      </div>
      ${current ? await mapOf(context, one, current) : ''}
      ${card(say('Time at the computers'), logtimeMap(context, logtime.value))}
      ${card(say('Projects'), projectResults(context, one.projects_users))}
      <div class="grid large">
        ${card(say('Evaluations given'), html`<p class="quiet">${evaluationCount(given)}</p>${evaluationList(context, given, 'as_corrector')}`)}
        ${card(say('Evaluations received'), html`<p class="quiet">${evaluationCount(received)}</p>${evaluationList(context, received, 'as_corrected')}`)}
      </div>
      ${card(say('Achievements'), achievementsOf(one.achievements))}
      ${context.person.isStaff ? html`<p><a class="button second" href="/staff/users/${one.id}">${say('What staff do with this account')}</a></p>` : ''}
      ${apiPreview(found, logtime, coalitions, memberships, given, received, events)}`,
      { scripts: ['refresh'] },
    )
  },
})

const validated = ({ projects_users }: Person) => projects_users.filter((one) => one['validated?']).length

const badgesOf = (one: Person): Html => html`
  ${one.kind === 'admin' ? badge('note', say('staff')) : ''}
  ${one['alumni?'] ? badge('note', say('alumni')) : ''}
  ${one['active?'] ? '' : badge('bad', say('closed'))}
  ${one.pool_year ? badge('quiet', monthOf(one.pool_month, one.pool_year)) : ''}`

/** Shows the black hole only to the person and to staff. */
const levels = (context: PersonPageContext, cursus: readonly CursusUser[], isSelf: boolean): Html =>
  list(cursus, say('Takes part in no cursus yet.'), ({ cursus: { name }, level, grade, end_at, blackholed_at }) => ({
    title: html`<span class="row"><span class="ring-beside">${levelRing(level)}<span>${name} ${grade ? badge('note', grade) : ''}</span></span>
      <strong>${say('level {level, number}', { level })}</strong></span>`,
    ...(end_at === null
      ? blackholed_at && (isSelf || context.person.isStaff)
        ? { more: html`${sayWith('black hole on {day}', { day: dateOf(context, new Date(blackholed_at)) })}` }
        : {}
      : { more: html`${sayWith('until {day}', { day: dateOf(context, new Date(end_at)) })}` }),
  }))

function coverOf(coalitions: Coalitions): Html | '' {
  const cover = ownPicture(coalitions.at(-1)?.cover_url)
  return cover ? html`<img class="cover" src="${cover}" alt="" width="1088" height="160">` : ''
}

async function mapOf(context: PersonPageContext, one: Person, { cursus }: CursusUser): Promise<Html | ''> {
  const campusId = one.campus[0]?.id ?? null
  const curriculum = await curriculumOf(context.dependencies.database, { cursusId: cursus.id, campusId })
  const projects = withStates(curriculum, one.projects_users)
  const graph = curriculumGraph(projects)
  if (!graph) return ''
  return card(
    say('Map of {name}', { name: cursus.name }),
    html`${graphLegend(projects)}<div class="graph" tabindex="0" role="group" aria-label="${say('Map of the projects')}">${graph}</div>
    <p><a href="/curriculum/${cursus.id}?of=${encodeURIComponent(one.login)}">${say('The whole map, with lists')}</a></p>`,
  )
}

const coalitionsOf = (coalitions: Coalitions, memberships: Memberships): Html =>
  list(coalitions, say('Belongs to no coalition.'), ({ id, name, color, image_url }) => {
    const crest = ownPicture(image_url)
    const membership = memberships.find(({ coalition_id }) => coalition_id === id)
    return {
      title: html`<span class="row"><span class="face">${crest ? html`<img src="${crest}" alt="" width="28" height="28">` : dotOf(color)} <a href="/coalitions/${id}">${name}</a></span>
        ${membership ? html`<strong>${say('{count, number} points', { count: membership.score })}</strong>` : ''}</span>`,
      ...(membership ? { more: html`${say('place {rank, number} in it', { rank: membership.rank })}` } : {}),
    }
  })

function achievementsOf(achievements: Person['achievements']): Html {
  if (achievements.length === 0) return empty(say('No achievement yet.'))
  const lines = (some: Person['achievements']) =>
    list(some, '', ({ name, description, tier }) => ({
      title: html`${name} ${tier === 'none' ? '' : badge('note', tier)}`,
      more: html`${description}`,
    }))
  const others = achievements.slice(ACHIEVEMENTS_SHOWN)
  return html`${lines(achievements.slice(0, ACHIEVEMENTS_SHOWN))}
    ${others.length > 0 ? html`<details><summary>${say('{count, plural, one {# other} other {# others}}', { count: others.length })}</summary>${lines(others)}</details>` : ''}`
}
