import { curlOf } from '@campus/engine/http/certificate-to-trust'
import { sizeOfSchool } from '../../school/domain/school/dashboard-stats.ts'
import { figures } from '../components.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type PageContext, type PersonPageContext, page, pageContent, redirectTo } from '../page.ts'
import { hasReference } from '../reference-link.ts'
import { ENROL_PATH } from '../security/enrol.ts'
import { ownDashboard } from './own-dashboard.ts'
import { staffDashboard } from './staff-dashboard.ts'

export const home = page({
  path: '/',
  access: 'anybody',
  async show(context) {
    if (context.enrolling) return redirectTo(ENROL_PATH)
    if (!isSignedIn(context)) return pageContent('Campus Intranet', await introduction(context))
    return pageContent(
      say('Welcome, {name}', { name: context.person.displayname }),
      html`${await dashboardsOf(context)}`,
    )
  },
})

const isSignedIn = (context: PageContext): context is PersonPageContext => context.person !== undefined

async function dashboardsOf(context: PersonPageContext): Promise<readonly Html[]> {
  const own = await ownDashboard(context)
  return context.person.isStaff ? [await staffDashboard(context), html`<h2>${say('Your own')}</h2>`, own] : [own]
}

/** Shows visitors what the service is and how to get a token. Reveals only the size of the school. */
async function introduction({ dependencies: { database, config } }: PageContext): Promise<Html> {
  const { campuses, people, online } = await sizeOfSchool(database)
  const curl = curlOf(config)
  return html`
  <p class="lead">${say(
    "The service behind the school's intranet: its people, campuses, cursus, projects, evaluations and events, kept in one place and served to programs over a REST API with OAuth 2.0.",
  )}</p>
  <div class="actions">
    <a class="button" href="/sign-in">${say('Sign in')}</a>
    ${hasReference() ? html`<a class="button second" href="/apidoc">${say('Read the API reference')}</a>` : ''}
  </div>
  <section class="card" aria-label="${say('The school')}">${figures([
    { value: people, label: say('{count, plural, one {person} other {people}}', { count: people }) },
    { value: campuses, label: say('{count, plural, one {campus} other {campuses}}', { count: campuses }) },
    { value: online, label: say('logged in now') },
  ])}</section>
  <h2>${say('How to get a token')}</h2>
  <ol>
    <li>${sayWith('{register} once you are signed in. Its id and secret are shown once.', {
      register: html`<a href="/applications/new">${say('Register an application')}</a>`,
    })}</li>
    <li>${say('Exchange them for a token:')}
      <pre class="card" tabindex="0">${curl} -d grant_type=client_credentials \\
  -d client_id=YOUR_ID -d client_secret=YOUR_SECRET \\
  ${config.baseUrl}/oauth/token</pre></li>
    <li>${say('Call the API with it:')}
      <pre class="card" tabindex="0">${curl} -H "Authorization: Bearer YOUR_TOKEN" ${config.baseUrl}/v2/campus</pre></li>
  </ol>
  <p>${sayWith("The API's address is {address}. {description} has every address, parameter and field.", {
    address: html`<span class="code">${config.baseUrl}/v2</span>`,
    description: html`<a href="/v2/openapi.json">${say('Its description (OpenAPI)')}</a>`,
  })}</p>`
}
