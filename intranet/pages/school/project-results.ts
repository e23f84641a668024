import type { Answer } from '../ask.ts'
import { badge, empty, list, table } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { projectState } from '../project-state.ts'
import { dateOf } from '../times.ts'

export type ProjectResult = Answer<'/v2/users/{id}'>['projects_users'][number]

export function projectResults(context: PageContext, all: readonly ProjectResult[]): Html {
  if (all.length === 0) return empty(say('Has begun no project yet.'))
  const atWork = all.filter(({ status }) => status !== 'finished')
  const finished = all
    .filter(({ status }) => status === 'finished')
    .toSorted((one, other) => (other.marked_at ?? '').localeCompare(one.marked_at ?? ''))
  return html`
  ${list(atWork, say('Works on no project now.'), (one) => ({ title: html`${linkTo(one)} ${stateOf(one)}` }))}
  ${
    finished.length === 0
      ? ''
      : html`<details${finished.length <= 12 ? html` open` : ''}><summary>${say('{count, plural, one {# finished} other {# finished}}', { count: finished.length })}</summary>
    ${table(
      say('Finished projects'),
      [say('Project'), say('State'), say('Mark'), say('Marked')],
      finished.map((one) => [
        linkTo(one),
        stateOf(one),
        one.final_mark ?? '',
        one.marked_at ? dateOf(context, new Date(one.marked_at)) : '',
      ]),
    )}</details>`
  }`
}

const linkTo = ({ project }: ProjectResult) => html`<a href="/projects/${project.id}">${project.name}</a>`

export function stateOf(one: Pick<ProjectResult, 'status' | 'validated?'>): Html {
  if (one.status !== 'finished')
    return badge(one.status === 'waiting_for_correction' ? 'waiting' : 'note', projectState(one.status))
  return one['validated?'] ? badge('good', say('validated')) : badge('bad', say('failed'))
}
