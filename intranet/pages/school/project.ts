import { defined } from '@campus/engine/base/defined'
import { openSessionOf } from '../../school/domain/projects/registration.ts'
import { apiPreview } from '../api-preview.ts'
import { type Answer, type ApiAnswer, ask, type Item, send } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { barChart, sum } from '../charts.ts'
import { card, figures, list, table } from '../components.ts'
import { buttonForm, errorSummary } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import { formPage, type Outcome, type PersonPageContext, pageContent, recordId, redirectTo } from '../page.ts'
import { projectState } from '../project-state.ts'
import { dateOf } from '../times.ts'
import { writtenText } from '../written-text.ts'
import { pathOfPerson } from './parts.ts'
import { stateOf } from './project-results.ts'
import { shares } from './shares.ts'
import { teamLink } from './team.ts'

type Project = Answer<'/v2/projects/{id}'>
type Result = Item<'/v2/users/{user_id}/projects_users'>
type Attempts = Answer<'/v2/projects/{project_id}/projects_users'>
type Team = Item<'/v2/projects/{project_id}/teams'>

/** Maximum page size of the API, so that the page costs the same however many people do the project. */
const ATTEMPTS_PER_PAGE = 100
const PAGES = [1, 2] as const
const TEAMS_SHOWN = 10

export const project = formPage({
  path: '/projects/:id',
  access: 'signed-in',
  async show(context, state) {
    const id = recordId(context)
    const found = await ask(context, '/v2/projects/{id}', { path: { id } })
    const attempts = await latestAttempts(context, id)
    const teams = await ask(context, '/v2/projects/{project_id}/teams', {
      path: { project_id: id },
      query: { sort: '-id', per_page: TEAMS_SHOWN },
    })
    const own = await ask(context, '/v2/users/{user_id}/projects_users', {
      path: { user_id: context.person.id },
      query: { 'filter[project_id]': [id] },
    })
    const ownTeams = await ask(context, '/v2/me/teams', {
      query: { 'filter[project_id]': [id], sort: '-id', per_page: 1 },
    })
    return pageContent(
      found.value.name,
      html`
      ${errorSummary(state.errors, { project_id: say('The project'), base: say('The project') })}
      ${found.value.description ? await writtenText(found.value.description) : ''}
      <section class="card" aria-label="${say('At a glance')}">${figures([
        { value: attempts.total, label: say('people who began it') },
        { value: teams.total, label: say('teams') },
        ...(found.value.difficulty === null ? [] : [{ value: found.value.difficulty, label: say('difficulty') }]),
      ])}</section>
      ${facts(found.value, own.value[0])}
      ${await begin(context, id, own.value[0], ownTeams.value[0])}
      ${subjects(found.value)}
      ${
        attempts.value.length === 0
          ? ''
          : html`<div class="grid large">${card(say('How far people are'), statesChart(attempts.value))}
        ${card(say('Marks'), marksChart(attempts.value))}</div>`
      }
      ${card(say('The teams that began last'), teamTable(context, teams.value))}
      ${apiPreview(found, attempts, teams, own, ownTeams)}`,
    )
  },
  submit: (context, form) => act(context, form.text('wish')),
})

async function begin(
  context: PersonPageContext,
  id: number,
  own: Result | undefined,
  last: Team | undefined,
): Promise<Html | ''> {
  const { database, clock } = context.dependencies
  const path = `/projects/${id}`
  const isOpen = (await openSessionOf(database, context.person.id, { projectId: id }, clock.now())) !== undefined
  const team = last ? html`<p>${teamLink(last)}</p>` : ''
  if (!isOpen) return team
  return last && own?.status === 'finished'
    ? html`${team}<div class="actions">${buttonForm(context, path, say('Try again'), { fields: { wish: 'retry' } })}</div>`
    : html`${team}<div class="actions">${buttonForm(context, path, say('Begin this project'), { fields: { wish: 'begin' } })}</div>`
}

async function act(context: PersonPageContext, wish: string): Promise<Outcome> {
  const id = recordId(context)
  if (wish === 'retry') {
    await send(context, 'PATCH', '/v2/projects/{id}/retry', { path: { id }, body: {} })
  } else {
    await send(context, 'POST', '/v2/teams', { body: { team: { project_id: id } } })
  }
  const [made] = (
    await ask(context, '/v2/me/teams', {
      query: { 'filter[project_id]': [id], sort: '-id', per_page: 1 },
    })
  ).value
  return redirectTo(made ? `/teams/${made.id}` : `/projects/${id}`, { notice: say('Your team is made.') })
}

const subjects = ({ attachments }: Project): Html | '' =>
  attachments.length === 0
    ? ''
    : card(
        say('What to read'),
        list(attachments, '', ({ name, url, language, page_count }) => ({
          title: url ? html`<a href="${url}">${name}</a>` : html`${name}`,
          more: html`${[language?.name, page_count ? say('{count, plural, one {# page} other {# pages}}', { count: page_count }) : undefined].filter(Boolean).join(' · ')}`,
        })),
      )

/** Returns the newest attempts. `total` counts all. */
async function latestAttempts(context: PersonPageContext, id: number): Promise<ApiAnswer<Attempts>> {
  const pages = await Promise.all(
    PAGES.map((number) =>
      ask(context, '/v2/projects/{project_id}/projects_users', {
        path: { project_id: id },
        query: { per_page: ATTEMPTS_PER_PAGE, page: number },
      }),
    ),
  )
  return { ...defined(pages[0]), value: pages.flatMap(({ value }) => value) }
}

const facts = (found: Project, own: Result | undefined): Html => html`
  <dl class="facts card">
    <dt>${say('You')}</dt><dd>${own ? html`${stateOf(own)} ${own.final_mark ?? ''}` : say('not begun')}
      ${own?.status === 'waiting_for_correction' ? html` <a href="/evaluations">${say('Book an evaluation')}</a>` : ''}</dd>
    ${found.cursus.length > 0 ? html`<dt>${say('Cursus')}</dt><dd>${found.cursus.map(({ name }) => name).join(', ')}</dd>` : ''}
    ${found.objectives.length > 0 ? html`<dt>${say('What is learnt')}</dt><dd>${found.objectives.join(', ')}</dd>` : ''}
    ${found.parent ? html`<dt>${say('Part of')}</dt><dd>${linksTo([found.parent])}</dd>` : ''}
    ${found.children.length > 0 ? html`<dt>${say('Parts')}</dt><dd>${linksTo(found.children)}</dd>` : ''}
  </dl>`

const linksTo = (all: Project['children']): Html =>
  html`${all.map(({ id, name }, index) => html`${index > 0 ? ', ' : ''}<a href="/projects/${id}">${name}</a>`)}`

const teamTable = (context: PersonPageContext, teams: readonly Team[]): Html =>
  teams.length === 0
    ? html`<p class="quiet">${say('There is none yet.')}</p>`
    : table(
        say('Teams'),
        [say('Team'), say('Members'), say('State'), say('Mark'), say('Closed')],
        teams.map((team) => [
          html`<a href="/teams/${team.id}">${team.name}</a>`,
          html`${team.users.map(({ login }) => html`<a class="face" href="${pathOfPerson(login)}">${avatar({ login })}${login}</a> `)}`,
          stateOf(team),
          team.final_mark ?? '',
          team.closed_at ? dateOf(context, new Date(team.closed_at)) : '',
        ]),
      )

type Attempt = Item<'/v2/projects/{project_id}/projects_users'>

const STATES = ['creating_group', 'searching_a_group', 'in_progress', 'waiting_for_correction', 'finished'] as const

const statesChart = (attempts: readonly Attempt[]): Html =>
  html`<p class="quiet">${say('Of the {count, plural, one {# person} other {# people}} who began last', { count: attempts.length })}</p>
  ${shares(
    STATES.map((status) => {
      const count = attempts.filter((one) => one.status === status).length
      return { name: projectState(status), value: count, text: say('{count, number}', { count }) }
    }),
  )}`

const STEP = 25
/** Marks above 100 include a bonus. */
const STEPS = [0, STEP, 2 * STEP, 3 * STEP, 4 * STEP] as const

function marksChart(attempts: readonly Attempt[]): Html {
  const marks = attempts.flatMap(({ final_mark }) => (final_mark === null ? [] : [final_mark]))
  if (marks.length === 0) return html`<p class="quiet">${say('Nobody has been marked yet.')}</p>`
  const stepOf = (mark: number) => Math.min(4 * STEP, Math.max(0, Math.floor(mark / STEP) * STEP))
  return barChart({
    summary: say('{count, plural, one {# mark} other {# marks}} of theirs, {mean, number} on average', {
      count: marks.length,
      mean: Math.round(sum(marks) / marks.length),
    }),
    by: say('Mark'),
    labelEvery: 1,
    keys: [{ name: 'calls', heading: say('People'), text: say('people') }],
    columns: STEPS.map((step) => ({
      label: labelOf(step),
      title: labelOf(step),
      values: [marks.filter((mark) => stepOf(mark) === step).length],
    })),
  })
}

const labelOf = (step: number) => (step === 4 * STEP ? `${step}+` : `${step}–${step + STEP - 1}`)
