import { requiredBy } from '../../access/second-factor-requirements.ts'
import { buttonForm } from '../fields.ts'
import { html, say } from '../html.ts'
import { page, pageContent, redirectTo } from '../page.ts'
import { hasPasskeys } from '../passkeys.ts'

/** Page for people who must set up a second factor. */
export const ENROL_PATH = '/security/enrol'

export const enrolPage = page({
  path: ENROL_PATH,
  access: 'enrolling',
  async show(context) {
    if (!context.enrolling) return redirectTo('/security')
    const names = (await requiredBy(context.dependencies.database, context.person.id)).join(', ')
    return pageContent(
      say('Set up a second factor'),
      html`
      <p class="notice"><strong>${say('A second factor is required of you by {names}.', { names })}</strong>
        ${say('You have none yet. You are signed in, and can do nothing else here until you have set one up.')}</p>
      <ul class="plain">
        ${
          hasPasskeys(context)
            ? html`<li class="card"><p>${say('A passkey of this device, of your phone or of a security key: a fingerprint, a face or a PIN, and nothing to type.')}</p>
          <p><a class="button" href="/security/passkeys/new">${say('Add a passkey')}</a></p></li>`
            : ''
        }
        <li class="card"><p>${say('An authenticator app on your phone, which shows a code that you type after your password.')}</p>
          <p><a class="button second" href="/security/second-factor">${say('Set up an authenticator app')}</a></p></li>
      </ul>
      ${buttonForm(context, '/sign-out', say('Sign out'), { kind: 'second' })}`,
      { isNarrow: true },
    )
  },
})
