import { KINDS } from '../../school/domain/accounts/account-kinds.ts'
import { findPeople } from '../../school/domain/accounts/find-users.ts'
import { allCampuses } from '../../school/domain/school/choices.ts'
import { avatar } from '../avatar.ts'
import { badge, empty, table } from '../components.ts'
import { chosenOf, filterForm } from '../filter-form.ts'
import { html, say } from '../html.ts'
import { page, pageContent } from '../page.ts'
import { pageLinks, partOf, shownOf } from '../paging.ts'
import { timeOf } from '../times.ts'
import { kindChoices, kindText } from './kinds.ts'

const STATES = ['open', 'closed'] as const

export const usersPage = page({
  path: '/staff/users',
  access: 'staff',
  async show(context) {
    const { database } = context.dependencies
    const part = partOf(context)
    const campuses = (await allCampuses(database)).map(({ id, name }) => ({ value: String(id), label: name }))
    const campus = chosenOf(
      context,
      'campus',
      campuses.map(({ value }) => value),
    )
    const filter = {
      text: context.query.text('q'),
      kind: chosenOf(context, 'kind', KINDS),
      state: chosenOf(context, 'state', STATES),
      campusId: campus === undefined ? undefined : Number(campus),
    }
    const found = await findPeople(database, filter, part)
    return pageContent(
      say('Users'),
      html`
      <div class="actions"><a class="button second" href="/staff/users/new">${say('Open an account')}</a>
        <a class="button second" href="/staff/records/users">${say('Every field, in any order')}</a></div>
      ${filterForm(context, say('People to show'), [
        { name: 'q', label: say('Login, name or e-mail address'), type: 'search' },
        { name: 'campus', label: say('Campus'), choices: campuses },
        { name: 'kind', label: say('Kind'), choices: kindChoices() },
        {
          name: 'state',
          label: say('Account'),
          choices: [
            { value: 'open', label: say('open') },
            { value: 'closed', label: say('closed') },
          ],
        },
      ])}
      ${
        found.length === 0
          ? empty(say('Nobody found. Look for a part of the login, the name or the e-mail address.'))
          : table(
              say('People'),
              [
                say('Login'),
                say('Name'),
                say('E-mail address'),
                say('Campus'),
                say('Kind'),
                say('Last sign-in'),
                say('Account'),
              ],
              shownOf(found).map(({ id, login, name, image, email, campus, kind, signed_in_at, closed_at }) => [
                html`<a class="face" href="/staff/users/${id}">${avatar({ login, displayname: name, image })}${login}</a>`,
                name,
                email,
                campus ?? '',
                kindText(kind),
                signed_in_at ? timeOf(context, signed_in_at) : '',
                closed_at ? badge('bad', say('closed')) : badge('good', say('open')),
              ]),
            )
      }
      ${pageLinks(context, part, found.length)}`,
    )
  },
})
