import { accessDenied, notFound } from '@campus/engine/errors'
import { checkText, ValidationErrors } from '@campus/engine/validation-errors'
import { DENIALS, powerOverCampuses } from '../../access/powers.ts'
import { type PlanElement, writePlan } from '../../school/domain/school/clean-plan.ts'
import { createKiosk, deleteKiosk, kiosksOf } from '../../school/domain/school/kiosks.ts'
import { MAX_UPLOADED_PLAN_BYTES } from '../../school/domain/school/read-svg.ts'
import { deleteSeatPlan, MAX_SEAT_PLANS, saveSeatPlan } from '../../school/domain/school/seat-plans.ts'
import { seenHosts } from '../../school/domain/school/seats.ts'
import type { StoredPlan } from '../../school/domain/school/stored-plans.ts'
import { inTransaction } from '../actor.ts'
import { ask } from '../ask.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { copied } from '../copy.ts'
import { buttonForm, csrfField, errorSummary, fileField, textField } from '../fields.ts'
import { type Html, html, raw, say } from '../html.ts'
import { type Form, type FormState, formPage, idIn, pageContent, recordId, redirectTo } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { claimForm, formIdField } from '../sent-once.ts'
import { timeOf } from '../times.ts'
import { readDrawing } from './read-drawing.ts'

const PATH = '/staff/seats/:id'
const labels = () => ({ name: say('Floor'), svg: say('Drawing'), screen: say('Where the screen is') })
const NO_ERRORS: FormState = { form: undefined, errors: {} }

export const campusSeats = formPage({
  path: PATH,
  access: 'staff',
  fileField: 'svg',
  show: (context, state) => showSeats(context, state, undefined),
  async submit(context, form) {
    const campusId = recordId(context)
    if (!(await powerOverCampuses(context.dependencies.database, context.person.id))(campusId))
      throw accessDenied(DENIALS.campus)
    const back = (notice: string) => redirectTo(`/staff/seats/${campusId}`, { notice })
    const id = idIn(form, 'id')
    switch (form.text('wish')) {
      case 'delete-plan':
        if (!isConfirmed(form))
          return confirmation(context, {
            title: say('Delete the drawing?'),
            text: say('The floor is shown by its rows again. This cannot be undone: keep the file of the drawing.'),
            fields: { wish: 'delete-plan', id: form.text('id') },
            button: say('Delete the drawing'),
            isDanger: true,
          })
        await inTransaction(context, (tx, by) => deleteSeatPlan(tx, { campusId, id, ...by }))
        return back(say('The drawing is deleted.'))
      case 'delete-kiosk':
        if (!isConfirmed(form))
          return confirmation(context, {
            title: say('Take the link of the screen back?'),
            text: say(
              'The screen shows nothing any more. Somebody has to open a new link on it. This cannot be undone.',
            ),
            fields: { wish: 'delete-kiosk', id: form.text('id') },
            button: say('Take the link back'),
            isDanger: true,
          })
        await inTransaction(context, (tx, by) => deleteKiosk(tx, { campusId, id, ...by }))
        return back(say('The screen shows nothing any more.'))
      case 'kiosk': {
        const name = requireName(form, 'screen')
        const token = await inTransaction(context, async (tx, by) =>
          (await claimForm(tx, context, form)) ? createKiosk(tx, { campusId, name, ...by }) : undefined,
        )
        if (token === undefined)
          return back(
            say('The screen is already added. If you did not copy its link, take the link back and make another one.'),
          )
        return showSeats(context, NO_ERRORS, token)
      }
      default: {
        const name = requireName(form, 'name')
        const svg = await readDrawing(form.file('svg'), context.person.id)
        await inTransaction(context, (tx, by) => saveSeatPlan(tx, { campusId, name, svg, ...by }))
        return redirectTo(drawingPath(campusId, name), { notice: say('The floor is shown as it is drawn.') })
      }
    }
  },
})

function requireName(form: Form, field: string): string {
  const errors = new ValidationErrors()
  const name = checkText(errors, field, form.text(field), { required: true, maxLength: 80 }) ?? ''
  errors.throwIfAny()
  return name
}

const drawingPath = (campusId: number, name: string) => `/staff/seats/${campusId}?floor=${encodeURIComponent(name)}`

async function showSeats(context: PersonPageContext, state: FormState, token: string | undefined) {
  const { database, clock, config, seatPlans } = context.dependencies
  const id = recordId(context)
  const campus = (await ask(context, '/v2/campus/{id}', { path: { id } })).value
  const mayChange = (await powerOverCampuses(database, context.person.id))(id)
  if (!mayChange && state.form) throw notFound('There is no such campus.')
  const plans = await seatPlans.ofCampus(id)
  const asked = context.query.text('floor')
  const shown = plans.find(({ name }) => name === asked) ?? plans[0]
  const drawing = shown && (await seatPlans.parse(shown))
  const hosts = (await seenHosts(database, id, clock.now())).map(({ host }) => host)
  const kiosks = await kiosksOf(database, id)
  const path = `/staff/seats/${id}`
  return pageContent(
    say('Plans and screens of {campus}', { campus: campus.name }),
    html`
    ${errorSummary(state.errors, labels())}
    ${
      token === undefined
        ? ''
        : html`<section class="card"><h2>${say('The link of the new screen')}</h2>
      <p>${say('Open it on the screen once. It is shown here and never again; who has it sees who sits where, and nothing else.')}</p>
      ${copied({ id: 'kiosk-link', text: `${config.baseUrl}/wall?token=${token}`, button: say('Copy the link') })}</section>`
    }
    ${mayChange ? '' : html`<p class="quiet">${say(DENIALS.campus)}</p>`}
    <h2>${say('Drawings')}</h2>
    <p>${say('A floor without a drawing is shown by its rows, with each computer that somebody used in the last half year. In a drawing (SVG), each shape whose id is the name of a computer is a seat.')}
      ${say('A campus can have at most {most} drawings.', { most: MAX_SEAT_PLANS })}</p>
    ${plans.map((plan) => planOf(context, plan, { hosts, mayChange, isShown: plan === shown, drawing }))}
    ${
      mayChange
        ? html`<form method="post" action="${path}" enctype="multipart/form-data">${csrfField(context)}
      ${textField(state, { name: 'name', label: labels().name, hint: say('A drawing of the same name is replaced.'), required: true })}
      ${fileField(state, { name: 'svg', label: labels().svg, hint: say('SVG, {kilobytes, number} kB at most. Hidden layers, scripts and pictures in it are left out.', { kilobytes: MAX_UPLOADED_PLAN_BYTES / 1024 }), accept: 'image/svg+xml' })}
      <button>${say('Save the drawing')}</button></form>`
        : ''
    }
    <h2>${say('Screens')}</h2>
    <p>${say('A screen at the wall shows the seats without anybody being signed in there.')}</p>
    <ul class="list">${kiosks.map(
      (kiosk) =>
        html`<li><span class="row"><span>${kiosk.name} <span class="quiet">${timeOf(context, kiosk.created_at)}</span></span>
      ${mayChange ? buttonForm(context, path, say('Take the link back'), { kind: 'danger', fields: { wish: 'delete-kiosk', id: kiosk.id }, label: say('Take the link back: {name}', { name: kiosk.name }) }) : ''}</span></li>`,
    )}</ul>
    ${
      mayChange
        ? html`<form method="post" action="${path}">${csrfField(context)}${formIdField()}
      ${textField(state, { name: 'screen', label: labels().screen, required: true })}
      <button name="wish" value="kiosk">${say('Make a link for a screen')}</button></form>`
        : ''
    }`,
    { scripts: ['copy'], trail: [{ path: `/campuses/${id}`, label: campus.name }] },
  )
}

type Shown = {
  readonly hosts: readonly string[]
  readonly mayChange: boolean
  readonly isShown: boolean
  readonly drawing: PlanElement | undefined
}

function planOf(context: PersonPageContext, plan: StoredPlan, { hosts, mayChange, isShown, drawing }: Shown): Html {
  const { id, name, isReadable } = plan
  const campusId = recordId(context)
  const drawn = new Set(plan.hosts)
  const seats = hosts.filter((host) => drawn.has(host))
  const canBeRead = isReadable && (!isShown || drawing !== undefined)
  const isWithoutSeats = canBeRead && seats.length === 0 && hosts.length > 0
  return html`<section class="card"><div class="row"><h3>${isShown ? name : html`<a href="${drawingPath(campusId, name)}">${name}</a>`}</h3>
    ${mayChange ? buttonForm(context, `/staff/seats/${campusId}`, say('Delete'), { kind: 'danger', fields: { wish: 'delete-plan', id }, label: say('Delete: {name}', { name }) }) : ''}</div>
    ${
      canBeRead
        ? html`<p class="quiet">${say('{seats, plural, one {# computer} other {# computers}} of {all, number} that were used lately are in it.', { seats: seats.length, all: hosts.length })}</p>`
        : html`<p class="problem">${say('This drawing cannot be read, so the floor is shown as rows. Save the drawing again or delete it.')}</p>`
    }
    ${
      isWithoutSeats
        ? html`<p class="problem">${say('No shape has the name of a computer, so nobody is shown in the drawing. Set the id of each seat to a name such as {names}.', { names: hosts.slice(0, 3).join(', ') })}</p>`
        : ''
    }
    ${isShown && drawing ? html`<div class="plan scroll" tabindex="0" role="group" aria-label="${name}">${raw(writePlan(drawing))}</div>` : ''}</section>`
}
