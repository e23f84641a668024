import { powerOverCampuses, requirePowerOverEndpoint } from '../../../access/powers.ts'
import { allCampuses } from '../../../school/domain/school/choices.ts'
import { type EndpointOverview, endpointOverview } from '../../../webhooks/overview.ts'
import { actorOf, callerWithAllRoles } from '../../actor.ts'
import { checkboxes, csrfField, errorSummary, textField } from '../../fields.ts'
import { type Html, html, say } from '../../html.ts'
import { type Form, type FormState, formPage, pageContent, recordId, redirectTo } from '../../page.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { endpointName } from './list.ts'

const labels = () => ({
  url: say('Address'),
  description: say('Description'),
  secret: say('Secret'),
  campuses: say('Campuses'),
})

const registration = formPage({
  path: '/staff/endpoints/new',
  access: 'staff',
  show: (context, state) => showForm(context, state, undefined),
  async submit(context, form) {
    const { database, records } = context.dependencies
    const caller = callerWithAllRoles(context)
    const id = await database.transaction(async (tx) => {
      const sent = { url: form.text('url').trim(), description: blankAsNull(form, 'description'), ...secretIn(form) }
      const made = await records.create(tx, 'endpoints', sent, caller)
      for (const campus of chosenIn(form)) await records.update(tx, 'campus', campus, { endpoint_id: made }, caller)
      return made
    })
    return redirectTo(`/staff/endpoints/${id}`, { notice: say('The webservice is registered and switched on.') })
  },
})

const editing = formPage({
  path: '/staff/endpoints/:id/edit',
  access: 'staff',
  async show(context, state) {
    const { database } = context.dependencies
    const found = await endpointOverview(database, recordId(context))
    await requirePowerOverEndpoint(database, actorOf(context), found.id)
    return showForm(context, state, found)
  },
  async submit(context, form) {
    const { database, records } = context.dependencies
    const caller = callerWithAllRoles(context)
    const { id, url } = await endpointOverview(database, recordId(context))
    await database.transaction(async (tx) => {
      const asked = form.text('url').trim()
      const sent = { description: blankAsNull(form, 'description'), ...secretIn(form) }
      // Sending the address again enables the webservice.
      await records.update(tx, 'endpoints', id, asked === url ? sent : { ...sent, url: asked }, caller)
      const chosen = chosenIn(form)
      for (const campus of await allCampuses(tx)) {
        const [isChosen, isAssigned] = [chosen.includes(campus.id), campus.endpoint_id === id]
        if (isChosen === isAssigned) continue
        await records.update(tx, 'campus', campus.id, { endpoint_id: isChosen ? id : null }, caller)
      }
    })
    return redirectTo(`/staff/endpoints/${id}`, { notice: say('Saved.') })
  },
})

export const ENDPOINT_FORMS = [...registration, ...editing]

async function showForm(context: PersonPageContext, state: FormState, found: EndpointOverview | undefined) {
  const { database } = context.dependencies
  const mayChoose = await powerOverCampuses(database, context.person.id)
  const campuses = (await allCampuses(database)).filter(({ id }) => mayChoose(id))
  const path = found ? `/staff/endpoints/${found.id}` : '/staff/endpoints'
  const name = found && endpointName(found)
  return pageContent(
    name === undefined ? say('Register a webservice') : say('Change {name}', { name }),
    html`
    ${errorSummary(state.errors, labels())}
    <form method="post" action="${found ? `${path}/edit` : `${path}/new`}">
      ${csrfField(context)}
      ${fields(state, found)}
      ${campuses.length === 0 ? '' : campusChoices(state, campuses, found)}
      <div class="actions"><button>${found ? say('Save') : say('Register')}</button><a href="${path}">${say('Cancel')}</a></div>
    </form>`,
    { trail: found && name !== undefined ? [{ path, label: name }] : [] },
  )
}

const campusChoices = (
  state: FormState,
  campuses: Awaited<ReturnType<typeof allCampuses>>,
  found: EndpointOverview | undefined,
): Html =>
  checkboxes(state, {
    name: 'campuses',
    label: labels().campuses,
    chosen: campuses.filter(({ endpoint_id }) => found && endpoint_id === found.id).map(({ id }) => String(id)),
    choices: campuses.map(({ id, name, endpoint_id }) => ({
      value: String(id),
      label: name,
      ...(endpoint_id !== null && endpoint_id !== found?.id ? { hint: say('has another webservice now') } : {}),
    })),
  })

const fields = (state: FormState, found: EndpointOverview | undefined): Html => html`
  ${textField(state, {
    name: 'url',
    label: labels().url,
    type: 'url',
    value: found?.url,
    required: true,
    autocomplete: 'off',
    hint: found
      ? say('An https address. Another one switches the webservice on.')
      : say('An https address, such as https://users.example.org/hooks.'),
  })}
  ${textField(state, {
    name: 'description',
    label: labels().description,
    value: found?.description,
    hint: say('Optional: what it is for.'),
  })}
  ${textField(state, {
    name: 'secret',
    label: labels().secret,
    type: 'password',
    autocomplete: 'off',
    hint: found
      ? say('Blank: the present one stays. It goes along with each call as key, and is never shown.')
      : say('Optional. It goes along with each call as key, and is never shown.'),
  })}`

const blankAsNull = (form: Form, name: string) => form.text(name).trim() || null

/** A blank secret stays as it is. */
const secretIn = (form: Form) => (form.text('secret') === '' ? {} : { secret: form.text('secret') })

/** Returns 0, the id of no campus, for an invalid id. */
const chosenIn = (form: Form): readonly number[] =>
  form.list('campuses').map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0))
