import { unprocessable } from '@campus/engine/errors'
import { checkText, ValidationErrors } from '@campus/engine/validation-errors'
import { createPasswordReset } from '../../access/password-resets.ts'
import { DENIALS, denialOf, isAdministrator, requirePower } from '../../access/powers.ts'
import { removeSecondFactorOf } from '../../access/second-factor.ts'
import { applicationsOf } from '../../oauth/applications/own.ts'
import { CLOSE_KINDS } from '../../school/domain/accounts/close-kinds.ts'
import { closeAccount, openAccount } from '../../school/domain/accounts/closes.ts'
import { closesOf, personById } from '../../school/domain/accounts/find-users.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'
import { actorOf, inTransaction } from '../actor.ts'
import { auditList } from '../audit-texts.ts'
import { avatar } from '../avatar.ts'
import { badge } from '../components.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { copied } from '../copy.ts'
import { buttonForm, csrfField, errorSummary, selectField, textField } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type FormState, formAction, formPage, pageContent, recordId, redirectTo } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { timeOf } from '../times.ts'
import { closeChoices, closeText, kindText } from './kinds.ts'

const labels = () => ({ kind: say('Why'), reason: say('Reason') })
const PATH = '/staff/users/:id'

type Found = Awaited<ReturnType<typeof personById>>

const one = formPage({
  path: PATH,
  access: 'staff',
  async show(context, state) {
    const { database } = context.dependencies
    const found = await personById(database, recordId(context))
    const closes = await closesOf(database, found.id)
    const applications = await applicationsOf(database, found.id)
    const events = await auditRecordsConcerning(database, found.id, 20)
    const refusal = await denialOf(database, context.person.id, found.id)
    const isOfAll = await isAdministrator(database, found.id)
    const time = (value: Date) => timeOf(context, value)
    return pageContent(
      found.name,
      html`
      <p class="person-line">${avatar({ ...found, displayname: found.name }, 'large')}</p>
      <dl class="facts">
        <dt>${say('Login')}</dt><dd>${found.login}</dd>
        <dt>${say('E-mail address')}</dt><dd>${found.email}</dd>
        <dt>${say('Kind')}</dt><dd>${found.kind === 'admin' ? say('admin: sees these pages') : kindText(found.kind)}${
          isOfAll ? html` ${badge('note', say('administrator of the school'))}` : ''
        }</dd>
        <dt>${say('Campuses')}</dt><dd>${found.campuses.join(', ') || say('none')}</dd>
        <dt>${say('Account')}</dt>
        <dd>${
          found.closed_at
            ? sayWith('{state} since {time}; opened {made}', {
                state: badge('bad', say('closed')),
                time: time(found.closed_at),
                made: time(found.created_at),
              })
            : sayWith('{state}, since {made}', { state: badge('good', say('open')), made: time(found.created_at) })
        }</dd>
        <dt>${say('Password')}</dt><dd>${found.has_password ? say('set') : say('none yet')}</dd>
        <dt>${say('Second factor')}</dt>
        <dd>${
          found.second_factor_since
            ? sayWith('{state} since {time}', {
                state: badge('good', say('on')),
                time: time(found.second_factor_since),
              })
            : badge('quiet', say('off'))
        }</dd>
        <dt>${say('Passkeys')}</dt><dd>${found.passkeys === 0 ? say('none') : say('{count, number}', { count: found.passkeys })}</dd>
        <dt>${say('Applications')}</dt>
        <dd>${
          applications.length === 0
            ? say('none')
            : applications.map(({ id, name }) => html`<a href="/staff/applications/${id}">${name}</a><br>`)
        }</dd>
      </dl>
      <p><a class="button second" href="/staff/records/users/${found.id}">${say('Change the record')}</a></p>
      <h2>${say('Account')}</h2>
      ${errorSummary(state.errors, labels())}
      ${refusal ? html`<p class="quiet">${say(DENIALS[refusal])}</p>` : accountForms(context, found, state)}
      ${closes.length === 0 ? '' : html`<h2>${say('Closes')}</h2>`}
      <ul class="plain events">${closes.map(
        ({ kind, reason, state, created_at, closer }) => html`
        <li>${say('{kind}: {reason}', { kind: closeText(kind), reason })} ${state === 'close' ? badge('bad', say('in force')) : badge('quiet', say('lifted'))}
          <span class="quiet">${time(created_at)}${closer ? html` · ${say('by {closer}', { closer })}` : ''}</span></li>`,
      )}</ul>
      <h2>${say('What was done')}</h2>
      ${auditList(context, events, { personId: found.id })}
      <p><a href="/staff/audit?about=${encodeURIComponent(found.login)}">${say('All of it in the audit log')}</a></p>`,
    )
  },
  async submit(context, form) {
    const { id, login } = await personById(context.dependencies.database, recordId(context))
    if (id === context.person.id) throw unprocessable({ base: ['You cannot close your own account.'] })
    const errors = new ValidationErrors()
    const reason = checkText(errors, 'reason', form.text('reason'), { required: true }) ?? ''
    const kind = form.text('kind')
    if (!CLOSE_KINDS.some((known) => known === kind)) errors.add('kind', 'must be one of the choices')
    errors.throwIfAny()
    const columns = { user_id: id, kind, reason, closer_id: context.person.id }
    await inTransaction(context, (tx, { actor, now }) => closeAccount(tx, columns, actor, now))
    return redirectTo(`/staff/users/${id}`, { notice: say('The account of {login} is closed.', { login }) })
  },
})

const reopening = formAction({
  path: `${PATH}/unclose`,
  access: 'staff',
  async submit(context) {
    const { id, login } = await personById(context.dependencies.database, recordId(context))
    await inTransaction(context, (tx, { actor, now }) => openAccount(tx, id, actor, now))
    return redirectTo(`/staff/users/${id}`, { notice: say('The account of {login} is open again.', { login }) })
  },
})

const secondFactorRemoval = formAction({
  path: `${PATH}/remove-second-factor`,
  access: 'staff',
  async submit(context, form) {
    const { database } = context.dependencies
    const { id, login } = await personById(database, recordId(context))
    const back = `/staff/users/${id}`
    if (!isConfirmed(form)) {
      await requirePower(database, actorOf(context), id)
      return confirmation(context, {
        title: say('Remove the second factor of {login}?', { login }),
        text: say(
          'The authenticator app, all passkeys and all recovery codes of {login} stop working. From then on the password alone is enough to sign in, until {login} sets up a second factor again. This cannot be undone.',
          { login },
        ),
        back,
        button: say('Remove the app, passkeys and codes'),
        isDanger: true,
      })
    }
    await inTransaction(context, (tx, by) => removeSecondFactorOf(tx, { userId: id, ...by }))
    return redirectTo(back, {
      notice: say('The authenticator app, passkeys and recovery codes of {login} are removed.', { login }),
    })
  },
})

/** The link is only in this response, since its holder chooses the password. */
const resetLink = formAction({
  path: `${PATH}/reset-link`,
  access: 'staff',
  async submit(context) {
    const { database, config } = context.dependencies
    const { id, login } = await personById(database, recordId(context))
    const reset = await inTransaction(context, (tx, { actor, now }) => createPasswordReset(tx, now, { login, actor }))
    return pageContent(
      say('Reset link for {login}', { login }),
      html`
      <p class="notice"><strong>${say('Hand this link to {login} and to nobody else.', { login })}</strong>
        ${say('The person who opens it chooses the password of the account. It is shown only once.')}</p>
      <p class="card">${copied({ id: 'link', text: config.baseUrl + reset.path, button: say('Copy the link') })}</p>
      <p>${sayWith('It works once, until {time}. Links made before have ended.', { time: timeOf(context, reset.expiresAt) })}</p>
      <p><a class="button" href="/staff/users/${id}">${say('Back to {login}', { login })}</a></p>`,
      { scripts: ['copy'] },
    )
  },
})

export const STAFF_USER_PAGES = [...one, ...reopening, ...resetLink, ...secondFactorRemoval]

function accountForms(context: PersonPageContext, found: Found, state: FormState): Html {
  const path = `/staff/users/${found.id}`
  const { login } = found
  return html`
  <div class="actions">
    ${
      found.closed_at
        ? buttonForm(context, `${path}/unclose`, say('Open the account again'))
        : buttonForm(context, `${path}/reset-link`, say('Create a reset link'), { kind: 'second' })
    }
    ${
      found.second_factor_since || found.passkeys > 0
        ? buttonForm(context, `${path}/remove-second-factor`, say('Remove the second factor'), { kind: 'danger' })
        : ''
    }
  </div>
  ${
    found.closed_at
      ? ''
      : html`
  <details${state.form ? html` open` : ''}><summary>${say('Close the account')}</summary>
    <form method="post" action="${path}">
      ${csrfField(context)}
      ${selectField(state, { name: 'kind', label: labels().kind, choices: closeChoices(), chosen: 'other' })}
      ${textField(state, {
        name: 'reason',
        label: labels().reason,
        required: true,
        hint: say('The person sees it in their records.'),
      })}
      <div class="actions"><button class="danger">${say('Close the account of {login}', { login })}</button></div>
    </form>
  </details>`
  }`
}
