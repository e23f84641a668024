import { givenUpEndpoints } from '../webhooks/overview.ts'
import { html } from './html.ts'
import { entriesOf, GROUPS } from './navigation.ts'
import { page, view } from './page.ts'

/** /: what this is, and where to go from here. */
export const home = page({
  path: '/',
  access: 'anybody',
  async show({ person, dependencies }) {
    const givenUp = person?.isStaff ? await givenUpEndpoints(dependencies.database) : []
    const places = GROUPS.flatMap((group) => entriesOf(group, person))
    return view(
      person ? `Welcome, ${person.displayname}` : 'Campus Intranet',
      html`
      ${givenUp.map(
        ({
          id,
          url,
        }) => html`<p class="problem">The webservice ${url} was given up: its campuses get no webhooks until somebody
        <a href="/staff/endpoints/${id}">switches it on</a>.</p>`,
      )}
      <p>This is the service behind the school's intranet: its people, campuses, cursus, projects, evaluations and
        events, kept in one place and served to programs over a REST API with OAuth 2.0.</p>
      ${
        person
          ? html`<h2>Your pages</h2>
      <ul class="list">${places.map(
        ({ path, label, about }) => html`<li><a href="${path}">${label}</a> <span class="quiet">${about}</span></li>`,
      )}</ul>`
          : html`<p><a class="button" href="/sign-in">Sign in</a></p>`
      }
      <h2>For programs</h2>
      <ul>
        <li><a href="/apidoc">Reference of the API</a>, with guides and examples</li>
        <li><a href="/v2/openapi.json">Description of the API</a> (OpenAPI): every address, parameter and field</li>
        <li><a href="/.well-known/oauth-authorization-server">OAuth server metadata</a> (RFC 8414)</li>
        <li>The API's address: <span class="code">${dependencies.config.baseUrl}/v2</span></li>
      </ul>`,
    )
  },
})
