import type { Caller } from '@campus/engine/http/caller'
import { words } from '@campus/engine/rest/openapi/names'
import { type Html, html, say } from '../../html.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { pathOf, type Routed, routedResources } from './resource.ts'

/** The lists that lie below a record, each with the way to it. */
export function listsBelow(context: PersonPageContext, caller: Caller, resource: Routed, id: number): Html | '' {
  const { registry, api } = context.dependencies
  const lists = routedResources(registry).filter(({ name }) =>
    api.may(caller, 'GET', `/v2/${resource.name}/:${resource.singular}_id/${name}`),
  )
  if (lists.length === 0) return ''
  return html`
  <h2>${say('What belongs to it')}</h2>
  <ul class="columns-list">${lists.map(
    (one) => html`<li><a href="${pathOf(one)}?below=${resource.name}:${id}">${words(one.name)}</a></li>`,
  )}</ul>`
}
