import { findPeople } from '../../domain/people.ts'
import { html } from '../html.ts'
import { page, view } from '../page.ts'
import { pageLinks, partOf, searchForm, shownOf } from '../paging.ts'

/** /staff/users: people, to be found by login, name or address. */
export const people = page({
  path: '/staff/users',
  access: 'staff',
  async show(visit) {
    const part = partOf(visit)
    const found = await findPeople(visit.dependencies.database, { text: visit.query.text('q') }, part)
    return view(
      'Users',
      html`
      ${searchForm(visit, 'Login, name or e-mail address')}
      ${
        found.length === 0
          ? html`<p>Nobody found.</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="People"><table>
        <thead><tr><th scope="col">Login</th><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Account</th></tr></thead>
        <tbody>${shownOf(found).map(
          ({ id, login, name, kind, closed_at }) => html`
          <tr><th scope="row"><a href="/staff/users/${id}">${login}</a></th><td>${name}</td><td>${kind}</td>
            <td>${closed_at ? 'closed' : 'open'}</td></tr>`,
        )}</tbody>
      </table></div>`
      }
      ${pageLinks(visit, part, found.length)}`,
    )
  },
})
