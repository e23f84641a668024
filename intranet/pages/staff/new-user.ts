import { isAdministrator, powerOverCampuses } from '../../access/powers.ts'
import { allCampuses, allCursus, type Named } from '../../school/domain/school/choices.ts'
import { callerWithAllRoles } from '../actor.ts'
import { csrfField, errorSummary, selectField, textField } from '../fields.ts'
import { html, say } from '../html.ts'
import { type Form, formPage, pageContent, redirectTo } from '../page.ts'
import { kindChoices } from './kinds.ts'

const labels = () => ({
  first_name: say('First name'),
  last_name: say('Family name'),
  usual_first_name: say('Usual first name'),
  email: say('E-mail address'),
  login: say('Login'),
  kind: say('Kind'),
  campus_id: say('Campus'),
  cursus_id: say('Cursus'),
  pool_year: say('Year of the piscine'),
  pool_month: say('Month of the piscine'),
})

export const newUser = formPage({
  path: '/staff/users/new',
  access: 'staff',
  async show(context, state) {
    const { database } = context.dependencies
    const isStaffOf = await powerOverCampuses(database, context.person.id)
    const campuses = (await allCampuses(database)).filter(({ id }) => isStaffOf(id))
    const mayOmitCampus = await isAdministrator(database, context.person.id)
    const cursus = await allCursus(database)
    const named = labels()
    return pageContent(
      say('Open an account'),
      html`
      ${errorSummary(state.errors, named)}
      <form method="post" action="/staff/users/new">
        ${csrfField(context)}
        <div class="columns">
        ${textField(state, { name: 'first_name', label: named.first_name, required: true, autocomplete: 'off' })}
        ${textField(state, { name: 'last_name', label: named.last_name, autocomplete: 'off' })}
        </div>
        ${textField(state, {
          name: 'usual_first_name',
          label: named.usual_first_name,
          autocomplete: 'off',
          hint: say('Optional: where the person goes by another one.'),
        })}
        ${textField(state, {
          name: 'email',
          label: named.email,
          type: 'email',
          required: true,
          autocomplete: 'off',
          hint: say('A school’s own provider finds the account by it at the first sign-in.'),
        })}
        ${textField(state, {
          name: 'login',
          label: named.login,
          autocomplete: 'off',
          hint: say('Optional: made of the names where it is blank. It stays for good.'),
        })}
        ${selectField(state, { name: 'kind', label: named.kind, choices: kindChoices(), chosen: 'student' })}
        <div class="columns">
        ${selectField(state, { name: 'campus_id', label: named.campus_id, choices: mayOmitCampus ? orNone(campuses) : choicesOf(campuses), chosen: '' })}
        ${selectField(state, { name: 'cursus_id', label: named.cursus_id, choices: orNone(cursus), chosen: '' })}
        </div>
        <div class="columns">
        ${textField(state, { name: 'pool_year', label: named.pool_year, hint: say('Optional, such as 2026.') })}
        ${textField(state, { name: 'pool_month', label: named.pool_month, hint: say('Optional, such as july.') })}
        </div>
        <p class="quiet">${say('The person chooses a password by a reset link, which you create on the next page. The campus gets a webhook about the account.')}</p>
        <div class="actions"><button>${say('Open the account')}</button><a href="/staff/users">${say('Cancel')}</a></div>
      </form>`,
    )
  },
  async submit(context, form) {
    const { database, records } = context.dependencies
    const id = await database.transaction((tx) =>
      records.create(tx, 'users', sentOf(form), callerWithAllRoles(context)),
    )
    return redirectTo(`/staff/users/${id}`, { notice: say('The account is open.') })
  },
})

const choicesOf = (all: readonly Named[]) => all.map(({ id, name }) => ({ value: String(id), label: name }))

const orNone = (all: readonly Named[]) => [{ value: '', label: say('none') }, ...choicesOf(all)]

const sentOf = (form: Form) =>
  Object.fromEntries(
    Object.keys(labels())
      .map((name) => [name, form.text(name)] as const)
      .filter(([, text]) => text.trim() !== ''),
  )
