import { unprocessable } from '@campus/engine/errors'
import { isAdministrator, powerOverCampuses } from '../../access/powers.ts'
import {
  type Requirement,
  requirements,
  requirePowerOver,
  requireSecondFactor,
} from '../../access/second-factor-requirements.ts'
import { actorOf, inTransaction } from '../actor.ts'
import { badge, type Cell, table } from '../components.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { buttonForm, errorSummary } from '../fields.ts'
import { html, say } from '../html.ts'
import { formPage, type PersonPageContext, pageContent, redirectTo } from '../page.ts'

const PATH = '/staff/second-factor'

export const secondFactorRequirements = formPage({
  path: PATH,
  access: 'staff',
  async show(context, state) {
    const { database } = context.dependencies
    const all = await requirements(database)
    const mayChange = await powersOf(context)
    const rowsOf = (of: Requirement['of']) =>
      all.filter((one) => one.of === of).map((one) => rowOf(context, one, mayChange(one)))
    const headings = [say('Name'), say('Second factor'), say('Without one'), '']
    return pageContent(
      say('Second factor'),
      html`
      ${errorSummary(state.errors, {})}
      <p>${say('Where it is required, who has neither a passkey nor an authenticator app is led to set one up when they sign in, and in the sessions that they have, and does nothing else on these pages until then. What applications do for them goes on.')}</p>
      <h2>${say('By campus')}</h2>
      ${table(say('Campuses'), headings, rowsOf('campus'))}
      <h2>${say('By role')}</h2>
      ${table(say('Roles'), headings, rowsOf('role'))}`,
    )
  },
  async submit(context, form) {
    const { database } = context.dependencies
    const [of, id, wish] = [form.text('of'), form.text('id'), form.text('wish')]
    if ((of !== 'campus' && of !== 'role') || !/^\d{1,9}$/.test(id))
      throw unprocessable({ base: ['must be one of the choices'] })
    const isRequired = wish === 'require'
    if (!isRequired && !isConfirmed(form)) {
      await requirePowerOver(database, actorOf(context), { of, id: Number(id) })
      return confirmation(context, {
        title: say('Stop requiring a second factor?'),
        text: say(
          'Members may switch their second factor off and sign in with a password alone, unless another campus or role requires it.',
        ),
        fields: { of, id, wish: 'release' },
        button: say('Require it no longer'),
        isDanger: true,
      })
    }
    const group = { of, id: Number(id) } as const
    await inTransaction(context, (tx, by) => requireSecondFactor(tx, { group, isRequired, ...by }))
    return redirectTo(PATH, {
      notice: isRequired ? say('A second factor is required now.') : say('A second factor is no longer required.'),
    })
  },
})

async function powersOf({ dependencies: { database }, person }: PersonPageContext) {
  const [overCampuses, isOfAll] = [
    await powerOverCampuses(database, person.id),
    await isAdministrator(database, person.id),
  ]
  return ({ of, id }: Requirement) => (of === 'campus' ? overCampuses(id) : isOfAll)
}

function rowOf(
  context: PersonPageContext,
  { of, id, name, isRequired, without }: Requirement,
  mayChange: boolean,
): Cell[] {
  const text = isRequired ? say('Require it no longer') : say('Require it')
  const label = isRequired ? say('Require it no longer: {name}', { name }) : say('Require it: {name}', { name })
  const fields = { of, id, wish: isRequired ? 'release' : 'require' }
  return [
    name,
    isRequired ? badge('good', say('required')) : badge('quiet', say('by choice')),
    say('{count, number}', { count: without }),
    mayChange ? buttonForm(context, PATH, text, { kind: 'second', label, fields }) : '',
  ]
}
