import { eventsConcerning } from '../../audit/audit.ts'
import { CLOSE_KINDS } from '../../domain/close-kinds.ts'
import { closeAccount, openAccount } from '../../domain/closes.ts'
import { createPasswordReset } from '../../domain/password-resets.ts'
import { closesOf, personById } from '../../domain/people.ts'
import { removeSecondFactor } from '../../domain/second-factor.ts'
import { unprocessable } from '../../errors.ts'
import { applicationsOf } from '../../oauth/applications/own.ts'
import { checkText, ValidationErrors } from '../../validation-errors.ts'
import { actorOf } from '../actor.ts'
import { badge } from '../badge.ts'
import { eventList } from '../events.ts'
import { buttonForm, csrfField, errorSummary, selectField, textField } from '../fields.ts'
import { type Html, html } from '../html.ts'
import { type FormState, formAction, formPage, redirectTo, view } from '../page.ts'
import { recordId } from '../record-id.ts'
import { timeOf } from '../times.ts'
import type { PersonsVisit } from '../visit.ts'

const LABELS = { kind: 'Why', reason: 'Reason' }
const PATH = '/staff/users/:id'

type Found = Awaited<ReturnType<typeof personById>>

/** /staff/users/:id: one person, and what staff do with their account. */
const one = formPage({
  path: PATH,
  access: 'staff',
  async show(visit, state) {
    const { database } = visit.dependencies
    const found = await personById(database, recordId(visit))
    const closes = await closesOf(database, found.id)
    const applications = await applicationsOf(database, found.id)
    const events = await eventsConcerning(database, found.id, 20)
    return view(
      found.name,
      html`
      <dl class="facts">
        <dt>Login</dt><dd>${found.login}</dd>
        <dt>E-mail address</dt><dd>${found.email}</dd>
        <dt>Kind</dt><dd>${found.kind === 'admin' ? 'admin: sees these pages' : found.kind}</dd>
        <dt>Campuses</dt><dd>${found.campuses.join(', ') || 'none'}</dd>
        <dt>Account</dt>
        <dd>${found.closed_at ? html`${badge('bad', 'closed')} since ${timeOf(visit, found.closed_at)}` : badge('good', 'open')}, made ${timeOf(visit, found.created_at)}</dd>
        <dt>Password</dt><dd>${found.has_password ? 'set' : 'none yet'}</dd>
        <dt>Second factor</dt>
        <dd>${found.second_factor_since ? html`${badge('good', 'on')} since ${timeOf(visit, found.second_factor_since)}` : badge('quiet', 'off')}</dd>
        <dt>Applications</dt>
        <dd>${
          applications.length === 0
            ? 'none'
            : applications.map(({ id, name }) => html`<a href="/staff/applications/${id}">${name}</a><br>`)
        }</dd>
      </dl>
      <h2>Account</h2>
      ${errorSummary(state.errors, LABELS)}
      ${accountForms(visit, found, state)}
      ${closes.length === 0 ? '' : html`<h2>Closes</h2>`}
      <ul class="plain events">${closes.map(
        ({ kind, reason, state: standing, created_at, closer }) => html`
        <li>${kind}: ${reason} ${standing === 'close' ? html`${badge('bad', 'stands')}` : badge('quiet', 'lifted')}
          <span class="quiet">${timeOf(visit, created_at)}${closer ? ` · by ${closer}` : ''}</span></li>`,
      )}</ul>
      <h2>What was done</h2>
      ${eventList(visit, events, found.id)}`,
    )
  },
  async submit(visit, form) {
    const { database, clock } = visit.dependencies
    const { id, login } = await personById(database, recordId(visit))
    if (id === visit.person.id) throw unprocessable({ base: ['You cannot close your own account.'] })
    const errors = new ValidationErrors()
    const reason = checkText(errors, 'reason', form.text('reason'), { required: true }) ?? ''
    const kind = form.text('kind')
    if (!CLOSE_KINDS.some((known) => known === kind)) errors.add('kind', 'must be one of the choices')
    errors.throwIfAny()
    const columns = { user_id: id, kind, reason, closer_id: visit.person.id }
    await database.transaction((tx) => closeAccount(tx, columns, actorOf(visit), clock.now()))
    return redirectTo(`/staff/users/${id}`, { notice: `The account of ${login} is closed.` })
  },
})

const reopening = formAction({
  path: `${PATH}/unclose`,
  access: 'staff',
  async submit(visit) {
    const { database, clock } = visit.dependencies
    const { id, login } = await personById(database, recordId(visit))
    await database.transaction((tx) => openAccount(tx, id, actorOf(visit), clock.now()))
    return redirectTo(`/staff/users/${id}`, { notice: `The account of ${login} is open again.` })
  },
})

const secondFactorRemoval = formAction({
  path: `${PATH}/remove-second-factor`,
  access: 'staff',
  async submit(visit) {
    const { database, clock } = visit.dependencies
    const { id, login } = await personById(database, recordId(visit))
    await database.transaction((tx) => removeSecondFactor(tx, { userId: id, now: clock.now(), actor: actorOf(visit) }))
    return redirectTo(`/staff/users/${id}`, { notice: `The second factor of ${login} is off.` })
  },
})

/** The link is in this answer and nowhere else: whoever holds it chooses the password. */
const resetLink = formAction({
  path: `${PATH}/reset-link`,
  access: 'staff',
  async submit(visit) {
    const { database, clock, config } = visit.dependencies
    const { id, login } = await personById(database, recordId(visit))
    const reset = await database.transaction((tx) =>
      createPasswordReset(tx, clock.now(), { login, actor: actorOf(visit) }),
    )
    return view(
      `Reset link for ${login}`,
      html`
      <p class="notice"><strong>Hand this link to ${login} and to nobody else.</strong> Whoever opens it chooses the password of
        the account. It is shown this once.</p>
      <p class="card code" id="link">${config.baseUrl}${reset.path}</p>
      <p>It works once, until ${timeOf(visit, reset.expiresAt)}. Links made before have ended.</p>
      <p><a class="button" href="/staff/users/${id}">Back to ${login}</a></p>`,
    )
  },
})

export const STAFF_USER_PAGES = [...one, ...reopening, ...resetLink, ...secondFactorRemoval]

function accountForms(visit: PersonsVisit, found: Found, state: FormState): Html {
  const path = `/staff/users/${found.id}`
  return html`
  <div class="actions">
    ${
      found.closed_at
        ? buttonForm(visit, `${path}/unclose`, 'Open the account again')
        : buttonForm(visit, `${path}/reset-link`, 'Create a reset link', { kind: 'second' })
    }
    ${
      found.second_factor_since
        ? buttonForm(visit, `${path}/remove-second-factor`, 'Switch the second factor off', { kind: 'danger' })
        : ''
    }
  </div>
  ${
    found.closed_at || found.id === visit.person.id
      ? ''
      : html`
  <details${state.form ? html` open` : ''}><summary>Close the account</summary>
    <form method="post" action="${path}">
      ${csrfField(visit)}
      ${selectField(state, { name: 'kind', label: LABELS.kind, choices: CLOSE_KINDS, chosen: 'other' })}
      ${textField(state, {
        name: 'reason',
        label: LABELS.reason,
        required: true,
        hint: 'The person sees it in their records.',
      })}
      <div class="actions"><button class="danger">Close the account of ${found.login}</button></div>
    </form>
  </details>`
  }`
}
