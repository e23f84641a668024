import { calendarToken, renewCalendar } from '../../access/calendars.ts'
import { campusAgenda, ownAgenda } from '../../school/domain/school/agenda-between.ts'
import { card } from '../components.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { copied } from '../copy.ts'
import { buttonForm, errorSummary } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import { formPage, type PersonPageContext, pageContent, redirectTo } from '../page.ts'
import { offer, offerForm, offerLabels } from '../school/offer-form.ts'
import { monthName, shortDay } from '../times.ts'
import { type Shown, shownIn, VIEWS, type View } from './span.ts'
import { DRAWINGS } from './views.ts'

const PATH = '/agenda'

const VIEW_NAMES: Readonly<Record<View, () => string>> = {
  week: () => say('Week'),
  month: () => say('Month'),
  list: () => say('List'),
}

export const agenda = formPage({
  path: PATH,
  access: 'signed-in',
  async show(context, state) {
    const { database, clock } = context.dependencies
    const shown = shownIn(context)
    const { campusId, id: userId } = context.person
    const isOfCampus = context.query.text('of') === 'campus' && campusId !== null
    const span = { userId, from: shown.from, until: shown.until, now: clock.now() }
    const own = await ownAgenda(database, span)
    const ofCampus = isOfCampus ? await campusAgenda(database, { ...span, campusId }) : []
    const entries = [...own, ...ofCampus.filter(({ state }) => state === 'open')].toSorted(
      (one, other) => one.begin_at.getTime() - other.begin_at.getTime(),
    )
    return pageContent(
      say('Agenda'),
      html`
      ${errorSummary(state.errors, offerLabels())}
      <div class="row">
        <nav aria-label="${say('View')}"><ul class="chips">${VIEWS.map((view) => html`<li><a href="${addressIn(context, { view, day: shown.day })}"${view === shown.view ? html` aria-current="true"` : ''}>${VIEW_NAMES[view]()}</a></li>`)}</ul></nav>
        ${
          campusId === null
            ? ''
            : html`<nav aria-label="${say('Whose')}"><ul class="chips">
          <li><a href="${addressIn(context, { ...shown, of: '' })}"${isOfCampus ? '' : html` aria-current="true"`}>${say('Mine')}</a></li>
          <li><a href="${addressIn(context, { ...shown, of: 'campus' })}"${isOfCampus ? html` aria-current="true"` : ''}>${say('All of my campus')}</a></li></ul></nav>`
        }
      </div>
      <div class="row"><h2>${titleOf(shown)}</h2>
        <nav class="actions" aria-label="${say('Time')}"><a class="button second" href="${addressIn(context, { view: shown.view, day: shown.before })}">${say('Earlier')}</a>
          <a class="button second" href="${addressIn(context, { view: shown.view, day: '' })}">${say('Today')}</a>
          <a class="button second" href="${addressIn(context, { view: shown.view, day: shown.after })}">${say('Later')}</a></nav></div>
      ${DRAWINGS[shown.view](context, shown, entries)}
      ${shown.view === 'week' ? html`<p class="quiet for-scripts">${say('Draw over the hours of a day to offer them, or move with the arrow keys, hold Shift to choose more, and press Enter.')}</p>` : ''}
      <div class="grid large">
        ${card(say('Offer time'), offerForm(context, state, PATH))}
        ${card(say('In your own calendar'), await subscribing(context))}
      </div>`,
      { scripts: ['agenda', 'copy'] },
    )
  },
  async submit(context, form) {
    if (form.text('wish') === 'renew') {
      if (!isConfirmed(form))
        return confirmation(context, {
          title: say('Renew the addresses of your calendars?'),
          text: say(
            'Calendars that follow the present addresses stop showing your agenda, on every phone and computer, until you give them the new ones. This cannot be undone.',
          ),
          fields: { wish: 'renew' },
          button: say('Renew the addresses'),
          isDanger: true,
        })
      await renewCalendar(context.dependencies.database, context.person.id)
      return redirectTo(PATH, {
        notice: say('Your calendars have new addresses; the former ones open nothing any more.'),
      })
    }
    await offer(context, form)
    return redirectTo(`${PATH}?day=${encodeURIComponent(form.text('day'))}`, {
      notice: say('You offer that time now.'),
    })
  },
})

type Asked = { readonly view?: View; readonly day?: string; readonly of?: string }

function addressIn({ query }: PersonPageContext, { view = 'week', day = '', of = query.text('of') }: Asked): string {
  const parameters = Object.entries({ view, day, of }).filter(([, value]) => value !== '')
  return `${PATH}?${new URLSearchParams(parameters)}`
}

function titleOf({ view, days, day }: Shown): string {
  if (view === 'month') return monthName(day)
  return `${shortDay(days[0] ?? day)} – ${shortDay(days.at(-1) ?? day)} ${day.slice(0, 4)}`
}

async function subscribing(context: PersonPageContext): Promise<Html> {
  const { database, sealer, config } = context.dependencies
  const { id, campusId } = context.person
  const token = await calendarToken(database, sealer, id)
  const own = `${config.baseUrl}/v2/users/${id}/agenda.ics?token=${token}`
  const campus = `${config.baseUrl}/v2/campus/${campusId}/agenda.ics?of=${id}&token=${token}`
  return html`
  <p>${say('Calendars of phones and computers show your agenda by this address (iCalendar). Who has it sees what you see here: keep it to yourself.')}</p>
  ${copied({ id: 'own-calendar', text: own, button: say('Copy the address') })}
  ${campusId === null ? '' : html`<p>${say('All events and exams of your campus:')}</p>${copied({ id: 'campus-calendar', text: campus, button: say('Copy the address of the campus') })}`}
  ${buttonForm(context, PATH, say('Renew the addresses'), { kind: 'second', fields: { wish: 'renew' } })}`
}
