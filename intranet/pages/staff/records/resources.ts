import { table } from '../../components.ts'
import { html, say } from '../../html.ts'
import { page, pageContent } from '../../page.ts'
import { staffCaller } from './caller.ts'
import { labelOf, listRoute, pathOf, RECORDS_PATH, routedResources } from './resource.ts'

export const resourcesPage = page({
  path: RECORDS_PATH,
  access: 'staff',
  async show(context) {
    const caller = await staffCaller(context)
    const { registry, api } = context.dependencies
    const readable = routedResources(registry).filter((one) => api.may(caller, 'GET', listRoute(one)))
    return pageContent(
      say('Records'),
      html`
      <p class="quiet">${
        caller.application.roles.length === 0
          ? say('You have no role at the school, so that you read what any program may and write nothing.')
          : say('You read and write by these roles of yours: {roles}.', { roles: caller.application.roles.join(', ') })
      }</p>
      <div class="card">${table(
        say('Records'),
        [say('Records'), say('What they are')],
        readable.map((one) => [
          html`<a href="${pathOf(one)}">${labelOf(one)}</a>`,
          html`<span lang="en">${one.summary}</span>`,
        ]),
      )}</div>`,
    )
  },
})
