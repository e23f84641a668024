import { curriculumOf } from '../../school/domain/projects/curriculum.ts'
import { apiPreview } from '../api-preview.ts'
import { ask } from '../ask.ts'
import { empty } from '../components.ts'
import { filterForm } from '../filter-form.ts'
import { type Html, html, say } from '../html.ts'
import { type PersonPageContext, page, pageContent, recordId } from '../page.ts'
import {
  curriculumGraph,
  GRAPH_STATES,
  type GraphProject,
  graphLegend,
  graphStateText,
  withStates,
} from './curriculum-graph.ts'
import { pathOfPerson } from './parts.ts'

const MAX_CURSUS = 100

/** `of` is the login of another person. */
export const curriculum = page({
  path: '/curriculum/:id',
  access: 'signed-in',
  async show(context) {
    const id = recordId(context)
    const { database } = context.dependencies
    const found = await ask(context, '/v2/cursus/{id}', { path: { id } })
    const login = context.query.text('of') || context.person.login
    const whose = await ask(context, '/v2/users/{id}', { path: { id: login } })
    const all = await ask(context, '/v2/cursus', { query: { sort: 'name', per_page: MAX_CURSUS } })
    const projects = withStates(
      await curriculumOf(database, { cursusId: id, campusId: context.person.campusId }),
      whose.value.projects_users,
    )
    const graph = curriculumGraph(projects)
    return pageContent(
      found.value.name,
      html`
      <nav aria-label="${say('Cursus')}"><ul class="chips">${all.value.map(
        (one) =>
          html`<li><a href="/curriculum/${one.id}${queryOf(context)}"${one.id === id ? html` aria-current="true"` : ''}>${one.name}</a></li>`,
      )}</ul></nav>
      ${filterForm(context, say('Whose projects'), [{ name: 'of', label: say('Progress of (a login)'), type: 'search' }])}
      <p class="quiet">${
        whose.value.login === context.person.login
          ? say('What you have done, and what is open to you.')
          : html`${say('The progress of')} <a href="${pathOfPerson(whose.value.login)}">${whose.value.displayname}</a>`
      }</p>
      ${graphLegend(projects)}
      ${
        graph
          ? html`<div class="graph" data-pan-zoom tabindex="0" role="group" aria-label="${say('Map of the projects: arrow keys move it, plus and minus make it larger and smaller')}">${graph}</div>
      <div class="actions for-scripts"><button type="button" class="second" data-zoom="in">${say('Larger')}</button>
        <button type="button" class="second" data-zoom="out">${say('Smaller')}</button>
        <button type="button" class="second" data-zoom="reset">${say('Whole map')}</button></div>`
          : ''
      }
      ${projects.length === 0 ? empty(say('This cursus has no projects yet.')) : listOf(projects)}
      ${apiPreview(found, whose)}`,
      { scripts: ['pan-zoom'], trail: [{ path: '/projects', label: say('Projects') }] },
    )
  },
})

const queryOf = ({ query }: PersonPageContext) =>
  query.text('of') ? `?of=${encodeURIComponent(query.text('of'))}` : ''

const listOf = (projects: readonly GraphProject[]): Html => html`
  <div class="columns">${GRAPH_STATES.map((state) => {
    const those = projects.filter((one) => one.state === state)
    return those.length === 0
      ? ''
      : html`<section><h2>${graphStateText(state)}</h2><ul class="list">${those.map(
          ({ id, name, mark }) =>
            html`<li><a href="/projects/${id}">${name}</a>${mark === null ? '' : html` <strong>${mark}</strong>`}</li>`,
        )}</ul></section>`
  })}</div>`
