import { findPeople } from '../../domain/people.ts'
import { badge } from '../badge.ts'
import { empty } from '../empty.ts'
import { html } from '../html.ts'
import { page, view } from '../page.ts'
import { pageLinks, partOf, searchForm, shownOf } from '../paging.ts'
import { table } from '../table.ts'

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
          ? empty('Nobody found. Look for a part of the login, the name or the e-mail address.')
          : table(
              'People',
              ['Login', 'Name', 'Kind', 'Account'],
              shownOf(found).map(({ id, login, name, kind, closed_at }) => [
                html`<a href="/staff/users/${id}">${login}</a>`,
                name,
                kind,
                closed_at ? badge('bad', 'closed') : badge('good', 'open'),
              ]),
            )
      }
      ${pageLinks(visit, part, found.length)}`,
    )
  },
})
