import { apiPreview } from '../api-preview.ts'
import { type Answer, ask } from '../ask.ts'
import { empty, table } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import { page, pageContent } from '../page.ts'
import { pageLinks, partOf, searchForm } from '../paging.ts'
import { leftOf, pageOf } from './parts.ts'
import { stateOf } from './project-results.ts'

const maps = (all: Answer<'/v2/cursus'>): Html => html`
  <nav aria-label="${say('Maps')}"><ul class="chips">${all.map(({ id, name }) => html`<li><a href="/curriculum/${id}">${say('Map of {name}', { name })}</a></li>`)}</ul></nav>`

export const projects = page({
  path: '/projects',
  access: 'signed-in',
  async show(context) {
    const part = partOf(context)
    const text = context.query.text('q').trim()
    const listed = await ask(context, '/v2/projects', {
      query: { 'search[name]': text || undefined, ...pageOf(part) },
    })
    const own = await ask(context, '/v2/users/{user_id}/projects_users', {
      path: { user_id: context.person.id },
      query: { per_page: 100 },
    })
    const results = new Map(own.value.map((one) => [one.project.id, one]))
    const cursus = await ask(context, '/v2/cursus', { query: { sort: 'name', per_page: 100 } })
    return pageContent(
      say('Projects'),
      html`
      ${maps(cursus.value)}
      ${searchForm(context, say('Name'))}
      ${
        listed.value.length === 0
          ? empty(say('No project is called so.'), { path: '/projects', label: say('All projects') })
          : html`<div class="card">${table(
              say('Projects'),
              [say('Project'), say('Cursus'), say('Difficulty'), say('You')],
              listed.value.map(({ id, name, cursus, difficulty }) => {
                const result = results.get(id)
                return [
                  html`<a href="/projects/${id}">${name}</a>`,
                  cursus.map((one) => one.name).join(', '),
                  difficulty === null ? '' : say('{difficulty, number}', { difficulty }),
                  result ? stateOf(result) : '',
                ]
              }),
            )}</div>`
      }
      ${pageLinks(context, part, leftOf(listed, part))}
      ${apiPreview(listed, own)}`,
    )
  },
})
