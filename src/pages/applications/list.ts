import { applicationsOf } from '../../oauth/applications/own.ts'
import { badge } from '../badge.ts'
import { empty } from '../empty.ts'
import { html } from '../html.ts'
import { page, view } from '../page.ts'
import { timeOf } from '../times.ts'

const REGISTRATION = { path: '/applications/new', label: 'Register an application' }

/** /applications: what the person has registered. */
export const myApplications = page({
  path: '/applications',
  access: 'signed-in',
  async show(visit) {
    const applications = await applicationsOf(visit.dependencies.database, visit.person.id)
    return view(
      'My applications',
      html`
      <p>Programs of yours that call the API, for themselves or for people who allow it.</p>
      ${
        applications.length === 0
          ? empty('You have not registered any yet.', REGISTRATION)
          : html`<div class="actions"><a class="button" href="${REGISTRATION.path}">${REGISTRATION.label}</a></div>`
      }
      ${applications.map(
        ({ id, name, description, public: isPublic, scopes, created_at }) => html`
      <article class="card" aria-labelledby="application-${id}">
        <h2 id="application-${id}"><a href="/applications/${id}">${name}</a></h2>
        ${description ? html`<p class="lines">${description}</p>` : ''}
        <p class="quiet">${isPublic ? badge('note', 'shown to everybody') : badge('quiet', 'not listed')} · Scopes: ${scopes.join(', ')} · since
          ${timeOf(visit, created_at)}</p>
        <ul class="plain actions">
          <li><a href="/applications/${id}/edit" aria-label="Change ${name}">Change</a></li>
          <li><a href="/applications/${id}/secret" aria-label="New secret for ${name}">New secret</a></li>
          <li><a href="/applications/${id}/delete" aria-label="Delete ${name}">Delete</a></li>
        </ul>
      </article>`,
      )}`,
    )
  },
})
