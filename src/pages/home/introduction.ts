import { sizeOfSchool } from '../../domain/school-now.ts'
import { figures } from '../figures.ts'
import { type Html, html } from '../html.ts'
import type { Visit } from '../visit.ts'

/** For whoever is not signed in: what this is, and the way to a token. Of the school it tells how large it is, and no more. */
export async function introduction({ dependencies: { database, config } }: Visit): Promise<Html> {
  const { campuses, people, online } = await sizeOfSchool(database)
  return html`
  <p class="lead">The service behind the school's intranet: its people, campuses, cursus, projects, evaluations and events, kept in
    one place and served to programs over a REST API with OAuth 2.0.</p>
  <div class="actions">
    <a class="button" href="/sign-in">Sign in</a>
    <a class="button second" href="/apidoc">Read the API reference</a>
  </div>
  <section class="card" aria-label="The school">${figures([
    { value: number(people), label: people === 1 ? 'person' : 'people' },
    { value: number(campuses), label: campuses === 1 ? 'campus' : 'campuses' },
    { value: number(online), label: 'logged in now' },
  ])}</section>
  <h2>How to get a token</h2>
  <ol>
    <li><a href="/applications/new">Register an application</a> once you are signed in. Its id and secret are shown once.</li>
    <li>Exchange them for a token:
      <pre class="card" tabindex="0">curl -d grant_type=client_credentials \\
  -d client_id=YOUR_ID -d client_secret=YOUR_SECRET \\
  ${config.baseUrl}/oauth/token</pre></li>
    <li>Call the API with it:
      <pre class="card" tabindex="0">curl -H "Authorization: Bearer YOUR_TOKEN" ${config.baseUrl}/v2/campus</pre></li>
  </ol>
  <p>The API's address is <span class="code">${config.baseUrl}/v2</span>.
    <a href="/v2/openapi.json">Its description (OpenAPI)</a> has every address, parameter and field.</p>`
}

const number = (value: number) => value.toLocaleString('en')
