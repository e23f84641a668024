import { defined } from '../../base/defined.ts'
import { apiPreview } from '../api-preview.ts'
import { type ApiAnswer, ask } from '../ask.ts'
import { figures } from '../figures.ts'
import { card } from '../home/own-dashboard.ts'
import { type Html, html } from '../html.ts'
import { page, pageContent } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { recordId } from '../record-id.ts'
import { say } from '../say.ts'
import { table } from '../table.ts'
import { dateOf } from '../times.ts'
import { writtenText } from '../written-text.ts'
import { type AttemptResult, marksChart, statesChart } from './attempt-charts.ts'
import { pathOfPerson } from './parts.ts'
import { type ProjectResult, stateOf } from './project-results.ts'

type Named = { readonly id: number; readonly name: string }
type Project = Named & {
  readonly slug: string
  readonly difficulty: number | null
  readonly description: string | null
  readonly objectives: readonly string[]
  readonly parent: Named | null
  readonly children: readonly Named[]
  readonly cursus: readonly Named[]
  readonly exam: boolean
}
type Team = {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly final_mark: number | null
  readonly 'validated?': boolean | null
  readonly closed_at: string | null
  readonly users: readonly { readonly login: string }[]
}

/** Pages of the API's largest size: the page of a project costs the same however many people do it. */
const ATTEMPTS_PER_PAGE = 100
const PAGES = [1, 2] as const
const TEAMS_SHOWN = 10

/** /projects/:id: what is to be done, how far people are with it, and the teams that began last. */
export const project = page({
  path: '/projects/:id',
  access: 'signed-in',
  async show(context) {
    const id = recordId(context)
    const found = await ask<Project>(context, '/v2/projects/:id', { params: { id } })
    const attempts = await latestAttempts(context, id)
    const teams = await ask<readonly Team[]>(context, '/v2/projects/:project_id/teams', {
      params: { project_id: id },
      query: { sort: '-id', per_page: TEAMS_SHOWN },
    })
    const own = await ask<readonly ProjectResult[]>(context, '/v2/users/:user_id/projects_users', {
      params: { user_id: context.person.id },
      query: { 'filter[project_id]': id },
    })
    return pageContent(
      found.value.name,
      html`
      ${found.value.description ? await writtenText(found.value.description) : ''}
      <section class="card" aria-label="${say('At a glance')}">${figures([
        { value: say('{count, number}', { count: attempts.total }), label: say('people who began it') },
        { value: say('{count, number}', { count: teams.total }), label: say('teams') },
        ...(found.value.difficulty === null
          ? []
          : [{ value: say('{count, number}', { count: found.value.difficulty }), label: say('difficulty') }]),
      ])}</section>
      ${facts(found.value, own.value[0])}
      ${
        attempts.value.length === 0
          ? ''
          : html`<div class="grid large">${card(say('How far people are'), statesChart(attempts.value))}
        ${card(say('Marks'), marksChart(attempts.value))}</div>`
      }
      ${card(say('The teams that began last'), teamTable(context, teams.value))}
      ${apiPreview(found, attempts, teams, own)}`,
    )
  },
})

/** The newest few hundred; of all, only the number is stored. */
async function latestAttempts(context: PersonPageContext, id: number): Promise<ApiAnswer<readonly AttemptResult[]>> {
  const pages = await Promise.all(
    PAGES.map((number) =>
      ask<readonly AttemptResult[]>(context, '/v2/projects/:project_id/projects_users', {
        params: { project_id: id },
        query: { per_page: ATTEMPTS_PER_PAGE, page: number },
      }),
    ),
  )
  return { ...defined(pages[0]), value: pages.flatMap(({ value }) => value) }
}

const facts = (found: Project, own: ProjectResult | undefined): Html => html`
  <dl class="facts card">
    <dt>${say('You')}</dt><dd>${own ? html`${stateOf(own)} ${own.final_mark ?? ''}` : say('not begun')}
      ${own?.status === 'waiting_for_correction' ? html` <a href="/evaluations">${say('Book an evaluation')}</a>` : ''}</dd>
    ${found.cursus.length > 0 ? html`<dt>${say('Cursus')}</dt><dd>${found.cursus.map(({ name }) => name).join(', ')}</dd>` : ''}
    ${found.objectives.length > 0 ? html`<dt>${say('What is learnt')}</dt><dd>${found.objectives.join(', ')}</dd>` : ''}
    ${found.parent ? html`<dt>${say('Part of')}</dt><dd>${linksTo([found.parent])}</dd>` : ''}
    ${found.children.length > 0 ? html`<dt>${say('Parts')}</dt><dd>${linksTo(found.children)}</dd>` : ''}
  </dl>`

const linksTo = (all: readonly Named[]): Html =>
  html`${all.map(({ id, name }, index) => html`${index > 0 ? ', ' : ''}<a href="/projects/${id}">${name}</a>`)}`

const teamTable = (context: PersonPageContext, teams: readonly Team[]): Html =>
  teams.length === 0
    ? html`<p class="quiet">${say('There is none yet.')}</p>`
    : table(
        say('Teams'),
        [say('Team'), say('Members'), say('State'), say('Mark'), say('Closed')],
        teams.map((team) => [
          team.name,
          html`${team.users.map(({ login }, index) => html`${index > 0 ? ', ' : ''}<a href="${pathOfPerson(login)}">${login}</a>`)}`,
          stateOf(team),
          team.final_mark ?? '',
          team.closed_at ? dateOf(context, new Date(team.closed_at)) : '',
        ]),
      )
