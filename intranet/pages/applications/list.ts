import { applicationsOf, publicApplications } from '../../oauth/applications/own.ts'
import { badge, empty } from '../components.ts'
import { html, say, sayWith } from '../html.ts'
import { page, pageContent } from '../page.ts'
import { pageLinks, partOf, searchForm, shownOf } from '../paging.ts'
import { timeOf } from '../times.ts'

const registration = () => ({ path: '/applications/new', label: say('Register an application') })

export const myApplications = page({
  path: '/applications',
  access: 'signed-in',
  async show(context) {
    const applications = await applicationsOf(context.dependencies.database, context.person.id)
    return pageContent(
      say('My applications'),
      html`
      <p>${say('Programs of yours that call the API, for themselves or for people who allow it.')}</p>
      ${
        applications.length === 0
          ? empty(say('You have not registered any yet.'), registration())
          : html`<div class="actions"><a class="button" href="${registration().path}">${registration().label}</a></div>`
      }
      ${applications.map(
        ({ id, name, description, public: isPublic, scopes, created_at }) => html`
      <article class="card" aria-labelledby="application-${id}">
        <h2 id="application-${id}"><a href="/applications/${id}">${name}</a></h2>
        ${description ? html`<p class="lines">${description}</p>` : ''}
        <p class="quiet">${isPublic ? badge('note', say('shown to everybody')) : badge('quiet', say('not listed'))} · ${sayWith(
          'Scopes: {scopes} · since {since}',
          { scopes: scopes.join(', '), since: timeOf(context, created_at) },
        )}</p>
        <ul class="plain actions">
          <li><a href="/applications/${id}/edit" aria-label="${say('Change {name}', { name })}">${say('Change')}</a></li>
          <li><a href="/applications/${id}/secret" aria-label="${say('New secret for {name}', { name })}">${say('New secret')}</a></li>
          <li><a href="/applications/${id}/delete" aria-label="${say('Delete {name}', { name })}">${say('Delete')}</a></li>
        </ul>
      </article>`,
      )}`,
    )
  },
})

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
