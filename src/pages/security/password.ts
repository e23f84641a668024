import { recordEvent } from '../../domain/audit.ts'
import { provePasswordChange } from '../../domain/change-password.ts'
import { endSessions } from '../../domain/sessions.ts'
import { passAlong } from '../../webhooks/pass-along.ts'
import { doerOf } from '../doer.ts'
import { csrfField, problemSummary, textField } from '../fields.ts'
import { html } from '../html.ts'
import { formPage, redirectTo, view } from '../page.ts'
import { checkRepeated, NEW_PASSWORD_LABELS, newPasswordFields } from './new-password.ts'

/** /security/password: another password, for who knows the current one. All other browsers are signed out. */
export const changePassword = formPage({
  path: '/security/password',
  access: 'signed-in',
  show: (visit, state) =>
    view(
      'Change the password',
      html`
      ${problemSummary(state.errors, { current_password: 'Current password', ...NEW_PASSWORD_LABELS })}
      <form method="post" action="/security/password">
        ${csrfField(visit)}
        <input type="hidden" name="username" autocomplete="username" value="${visit.person.login}">
        ${textField(state, {
          ...{ name: 'current_password', label: 'Current password', type: 'password' },
          ...{ autocomplete: 'current-password', required: true },
        })}
        ${newPasswordFields(state)}
        <div class="actions"><button>Change the password</button> <a href="/security">Leave it as it is</a></div>
      </form>
      <p class="quiet">You will be signed out everywhere but here.</p>`,
      { isNarrow: true },
    ),
  async submit(visit, form) {
    const { parts, person, session } = visit
    const { database, clock, sealing } = parts
    const next = checkRepeated(form)
    const now = clock.now()
    const change = { userId: person.id, current: form.text('current_password'), next }
    const password_digest = await provePasswordChange(database, now, change)
    await database.transaction(async (tx) => {
      const changes = { password_digest, updated_at: now }
      await tx.kysely.updateTable('users').set(changes).where('id', '=', person.id).execute()
      await passAlong(tx, sealing, person.id, { password: next, meta: null })
      await endSessions(tx, person.id, session.id)
      await recordEvent(tx, now, { kind: 'password_changed', doer: doerOf(visit), subjectId: person.id })
    })
    return redirectTo('/security', { notice: 'The password is changed, and you are signed out everywhere but here.' })
  },
})
