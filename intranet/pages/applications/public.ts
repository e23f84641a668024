import { publicApplications } from '../../oauth/applications/own.ts'
import { empty } from '../components.ts'
import { html, say } from '../html.ts'
import { page, pageContent } from '../page.ts'
import { pageLinks, partOf, searchForm, shownOf } from '../paging.ts'

/** /public-applications: applications that their owners published. */
export const publicList = page({
  path: '/public-applications',
  access: 'signed-in',
  async show(context) {
    const part = partOf(context)
    const found = await publicApplications(context.dependencies.database, context.query.text('q'), part)
    return pageContent(
      say('Public applications'),
      html`
      <p>${say('What people of the school have made and show to everybody.')}</p>
      ${searchForm(context, say('Name or owner'))}
      ${
        found.length === 0
          ? empty(say('No application matches. The owner of an application can list it here.'), {
              path: '/applications',
              label: say('My applications'),
            })
          : ''
      }
      ${shownOf(found).map(
        ({ id, name, description, website, owner, scopes }) => html`
      <article class="card" aria-labelledby="application-${id}">
        <h2 id="application-${id}">${name}</h2>
        ${description ? html`<p class="lines">${description}</p>` : ''}
        <p class="quiet">${owner ? html`${say('By {owner}', { owner })} · ` : ''}${say('Scopes: {scopes}', { scopes: scopes.join(', ') })}</p>
        ${website ? html`<p><a href="${website}" rel="noopener nofollow">${website}</a></p>` : ''}
      </article>`,
      )}
      ${pageLinks(context, part, found.length)}`,
    )
  },
})
