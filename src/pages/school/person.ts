import { apiPreview } from '../api-preview.ts'
import { ask } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { badge } from '../badge.ts'
import { empty } from '../empty.ts'
import { figures } from '../figures.ts'
import { card, list } from '../home/own-dashboard.ts'
import { type Html, html } from '../html.ts'
import { type CursusUser, currentCursus, levelRing } from '../level-ring.ts'
import { page, pageContent } from '../page.ts'
import type { PageContext } from '../page-context.ts'
import { REFRESH_SCRIPT } from '../refresh.ts'
import { say, sayWith } from '../say.ts'
import { dateOf, monthOf } from '../times.ts'
import { type Logtime, logtimeMap } from './logtime.ts'
import { type ProjectResult, projectResults } from './project-results.ts'
import { dotOf } from './shares.ts'

type Coalition = { readonly id: number; readonly name: string; readonly color: string | null }
type Membership = { readonly coalition_id: number; readonly score: number; readonly rank: number }
type Achievement = { readonly name: string; readonly description: string; readonly tier: string }
type Person = {
  readonly id: number
  readonly login: string
  readonly displayname: string
  readonly image: { readonly link: string }
  readonly email: string
  readonly kind: string
  readonly location: string | null
  readonly wallet: number
  readonly correction_point: number
  readonly pool_month: string | null
  readonly pool_year: string | null
  readonly 'alumni?': boolean
  readonly 'active?': boolean
  readonly campus: readonly { readonly id: number; readonly name: string }[]
  readonly cursus_users: readonly CursusUser[]
  readonly projects_users: readonly ProjectResult[]
  readonly achievements: readonly Achievement[]
  readonly titles_users: readonly { readonly title_id: number; readonly selected: boolean }[]
}

const ACHIEVEMENTS_SHOWN = 8

/** /people/:login: a user, as the API shows them. */
export const person = page({
  path: '/people/:login',
  access: 'signed-in',
  async show(context) {
    const found = await ask<Person>(context, '/v2/users/:id', { params: { id: context.params.login ?? '' } })
    const one = found.value
    const params = { user_id: one.id }
    const current = currentCursus(one.cursus_users, context.dependencies.clock.now())
    const logtime = await ask<Logtime>(context, '/v2/users/:id/locations_stats', { params: { id: one.id } })
    const coalitions = await ask<readonly Coalition[]>(context, '/v2/users/:user_id/coalitions', { params })
    const memberships = await ask<readonly Membership[]>(context, '/v2/users/:user_id/coalitions_users', { params })
    return pageContent(
      one.displayname,
      html`
      <p class="person-line">${avatar(one, 'large')}
        <span><span class="code">${one.login}</span> ${badgesOf(one)}<br>
        <span class="quiet" data-refresh="presence" data-watch="/v2/users/${one.id}/locations?filter[active]=true">${one.location ? say('Sits at {host} now', { host: one.location }) : say('Not logged in now')}
          ${one.campus.map(({ id, name }) => html` · <a href="/campuses/${id}">${name}</a>`)}</span></span></p>
      ${one.id === context.person.id ? html`<p><a class="button second" href="/profile/picture">${say('Change my picture')}</a></p>` : ''}
      <section class="card" aria-label="${say('At a glance')}">${figures([
        ...(current ? [{ value: say('{level, number}', { level: current.level }), label: current.cursus.name }] : []),
        { value: validated(one), label: say('projects validated') },
        { value: one.correction_point, label: say('evaluation points') },
        { value: say('{count, number}', { count: one.wallet }), label: say('wallet') },
      ])}</section>
      <div class="grid large">
        ${card(say('Level by cursus'), levels(context, one.cursus_users))}
        ${card(say('Coalition'), coalitionsOf(coalitions.value, memberships.value))}
      </div>
      ${card(say('Time at the computers'), logtimeMap(context, logtime.value))}
      ${card(say('Projects'), projectResults(context, one.projects_users))}
      ${card(say('Achievements'), achievementsOf(one.achievements))}
      ${context.person.isStaff ? html`<p><a class="button second" href="/staff/users/${one.id}">${say('What staff do with this account')}</a></p>` : ''}
      ${apiPreview(found, logtime, coalitions, memberships)}`,
      { scripts: [REFRESH_SCRIPT] },
    )
  },
})

const validated = ({ projects_users }: Person) => projects_users.filter((one) => one['validated?']).length

const badgesOf = (one: Person): Html => html`
  ${one.kind === 'admin' ? badge('note', say('staff')) : ''}
  ${one['alumni?'] ? badge('note', say('alumni')) : ''}
  ${one['active?'] ? '' : badge('bad', say('closed'))}
  ${one.pool_year ? badge('quiet', monthOf(one.pool_month, one.pool_year)) : ''}`

const levels = (context: PageContext, cursus: readonly CursusUser[]): Html =>
  list(cursus, say('Takes part in no cursus yet.'), ({ cursus: { name }, level, grade, end_at }) => ({
    title: html`<span class="row"><span class="ring-beside">${levelRing(level)}<span>${name} ${grade ? badge('note', grade) : ''}</span></span>
      <strong>${say('level {level, number}', { level })}</strong></span>`,
    ...(end_at === null ? {} : { more: html`${sayWith('until {day}', { day: dateOf(context, new Date(end_at)) })}` }),
  }))

const coalitionsOf = (coalitions: readonly Coalition[], memberships: readonly Membership[]): Html =>
  list(coalitions, say('Belongs to no coalition.'), ({ id, name, color }) => {
    const membership = memberships.find(({ coalition_id }) => coalition_id === id)
    return {
      title: html`<span class="row"><span>${dotOf(color)} ${name}</span>
        ${membership ? html`<strong>${say('{count, number} points', { count: membership.score })}</strong>` : ''}</span>`,
      ...(membership ? { more: html`${say('place {rank, number} in it', { rank: membership.rank })}` } : {}),
    }
  })

function achievementsOf(achievements: readonly Achievement[]): Html {
  if (achievements.length === 0) return empty(say('No achievement yet.'))
  const lines = (some: readonly Achievement[]) =>
    list(some, '', ({ name, description, tier }) => ({
      title: html`${name} ${tier === 'none' ? '' : badge('note', tier)}`,
      more: html`${description}`,
    }))
  const others = achievements.slice(ACHIEVEMENTS_SHOWN)
  return html`${lines(achievements.slice(0, ACHIEVEMENTS_SHOWN))}
    ${others.length > 0 ? html`<details><summary>${say('{count, plural, one {# other} other {# others}}', { count: others.length })}</summary>${lines(others)}</details>` : ''}`
}
