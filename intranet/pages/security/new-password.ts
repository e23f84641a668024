import { unprocessable } from '@campus/engine/errors'
import { normalizePassword } from '../../access/passwords.ts'
import { textField } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import type { Form, FormState } from '../page.ts'

export const newPasswordLabels = () => ({
  password: say('New password'),
  password_again: say('New password, once more'),
})

export function newPasswordFields(state: FormState): Html {
  const common = { type: 'password', autocomplete: 'new-password', required: true } as const
  const hint = say('At least 8 characters. A few words that do not belong together are easy to remember.')
  const labels = newPasswordLabels()
  return html`
    ${textField(state, { ...common, name: 'password', label: labels.password, hint })}
    ${textField(state, { ...common, name: 'password_again', label: labels.password_again })}`
}

/** Returns the new password. Throws 422 unless it was typed twice. */
export function checkRepeated(form: Form): string {
  const password = form.text('password')
  if (normalizePassword(password) !== normalizePassword(form.text('password_again')))
    throw unprocessable({ password_again: ['is not the same'] })
  return password
}
