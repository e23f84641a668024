import { describeBrowser, identifyBrowser } from '../../access/browsers.ts'
import { issueChallenge } from '../../access/passkey-challenges.ts'
import {
  addPasskey,
  passkeyHandleOf,
  passkeyOf,
  passkeysOf,
  removePasskey,
  renamePasskey,
} from '../../access/passkeys.ts'
import { checkNewPasskey } from '../../access/prove-passkey.ts'
import { ALGORITHMS } from '../../access/verify-passkey.ts'
import { actorOf, inTransaction } from '../actor.ts'
import { badge } from '../components.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type FormState, formPage, type Outcome, pageContent, recordId, redirectTo } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { SITE } from '../page-header.ts'
import {
  ASKED_MS,
  checkingOf,
  credentialField,
  descriptorOf,
  hasPasskeys,
  passkeyButton,
  passkeyFault,
} from '../passkeys.ts'
import { timeOf } from '../times.ts'
import { otherBrowsersNote, proofForm, proofLabels, proofOptions, proven, renewingKey } from './proof.ts'
import { explainCodesShown, showCodes } from './recovery-codes.ts'

const PATH = '/security/passkeys'
const labels = () => ({ ...proofLabels(), name: say('Name') })

type Shown = Awaited<ReturnType<typeof passkeysOf>>[number]

export async function passkeysSection(context: PersonPageContext): Promise<Html> {
  if (!hasPasskeys(context)) return html``
  const own = await passkeysOf(context.dependencies.database, context.person.id)
  return html`
  <h2>${say('Passkeys')}</h2>
  <p>${say('A passkey of your phone, computer or security key signs you in by a fingerprint, a face or a PIN, without a password. After a password it is a second factor.')}</p>
  <ul class="plain">${own.map((one) => passkeyCard(context, one))}</ul>
  <p><a class="button second" href="${PATH}/new">${say('Add a passkey')}</a></p>`
}

const passkeyCard = (context: PersonPageContext, one: Shown): Html => html`
    <li class="card row">
      <div>
        <strong>${one.name}</strong>${one.backed_up ? html` ${badge('quiet', say('synchronised'))}` : ''}<br>
        <span class="quiet">${
          one.last_used_at
            ? sayWith('Added {made} · last used {used}', {
                made: timeOf(context, one.created_at),
                used: timeOf(context, one.last_used_at),
              })
            : sayWith('Added {made} · not used yet', { made: timeOf(context, one.created_at) })
        }</span>
      </div>
      <div class="actions">
        <a class="button second" href="${PATH}/${one.id}/rename" aria-label="${say('Rename {name}', { name: one.name })}">${say('Rename')}</a>
        <a class="button second" href="${PATH}/${one.id}/remove" aria-label="${say('Remove {name}', { name: one.name })}">${say('Remove')}</a>
      </div>
    </li>`

/** Requires a proof first. The challenge of the next page stands for that proof. */
const addition = formPage({
  path: `${PATH}/new`,
  access: 'enrolling',
  async show(context, state) {
    checkingOf(context)
    const { main, scripts } = await proofForm(context, state, {
      ...{ proof: 'all', path: `${PATH}/new`, back: '/security', button: say('Go on') },
      reason: say('So that nobody adds one on a browser that you left open.'),
    })
    return pageContent(
      say('Add a passkey'),
      html`
      ${errorSummary(state.errors, labels())}
      <p>${say('From then on the passkey alone signs you in, and signing in with your password asks for it, or for another second factor of yours.')} ${otherBrowsersNote()}</p>
      ${withoutScripts()}
      ${main}`,
      { isNarrow: true, scripts },
    )
  },
  async submit(context, form) {
    const userId = context.person.id
    const handle = await proven(context, form, 'all', (tx) => passkeyHandleOf(tx, userId))
    return showCreation(context, handle)
  },
})

const withoutScripts = (): Html =>
  html`<p class="problem without-scripts">${say('Browsers make passkeys by scripts, which are switched off here. Switch them on for this page, or set up an authenticator app, which works without.')}</p>`

async function showCreation(context: PersonPageContext, handle: Buffer): Promise<Outcome> {
  const { person, dependencies, browser } = context
  const checking = checkingOf(context)
  const own = await passkeysOf(dependencies.database, person.id)
  const options = {
    rp: { id: checking.party.id, name: SITE },
    user: { id: handle.toString('base64url'), name: person.login, displayName: person.displayname },
    challenge: issueChallenge(checking, { purpose: 'registration', browserKey: context.key, userId: person.id }),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: ASKED_MS,
    attestation: 'none',
    excludeCredentials: own.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
  return pageContent(
    say('Add a passkey'),
    html`
    <p>${say('Name it so that you know it again, then follow your browser.')}</p>
    <form method="post" action="${PATH}" data-new-passkey="${JSON.stringify(options)}">
      ${csrfField(context)}
      ${credentialField}
      ${textField(NO_ERRORS, {
        name: 'name',
        label: labels().name,
        required: true,
        value: describeBrowser(identifyBrowser(browser.userAgent ?? null)),
      })}
      <div class="actions">${passkeyButton(say('Create the passkey'), '')} <a href="/security">${say('Cancel')}</a></div>
      ${passkeyFault}
    </form>
    ${withoutScripts()}`,
    { isNarrow: true, scripts: ['passkeys'] },
  )
}

const NO_ERRORS: FormState = { form: undefined, errors: {} }

const creation = formPage({
  path: PATH,
  access: 'enrolling',
  showStale: explainCodesShown,
  show: (_context, { form, errors }) =>
    form
      ? pageContent(
          say('No passkey was added'),
          html`${errorSummary(errors, labels())}
      <p><a class="button" href="${PATH}/new">${say('Begin again')}</a></p>`,
          { isNarrow: true },
        )
      : redirectTo(`${PATH}/new`),
  async submit(context, form) {
    const { clock } = context.dependencies
    const userId = context.person.id
    const answered = { credential: form.text('credential'), browserKey: context.key, userId }
    const passkey = await checkNewPasskey(checkingOf(context), answered)
    const adding = {
      userId,
      sessionId: context.session.id,
      actor: actorOf(context),
      now: clock.now(),
      name: form.text('name'),
      passkey,
    }
    const codes = await renewingKey(context, (tx) => addPasskey(tx, adding))
    if (codes.length > 0) return showCodes(context, say('The passkey is added'), codes)
    return redirectTo('/security', { notice: say('The passkey is added.') })
  },
})

const renaming = formPage({
  path: `${PATH}/:id/rename`,
  access: 'signed-in',
  async show(context, state) {
    const { id, name } = await passkeyOf(context.dependencies.database, context.person.id, recordId(context))
    return pageContent(
      say('Rename {name}', { name }),
      html`
      ${errorSummary(state.errors, labels())}
      <form method="post" action="${PATH}/${id}/rename">
        ${csrfField(context)}
        ${textField(state, { name: 'name', label: labels().name, required: true, value: name })}
        <div class="actions"><button>${say('Save')}</button><a href="/security">${say('Cancel')}</a></div>
      </form>`,
      { isNarrow: true },
    )
  },
  async submit(context, form) {
    const renamed = { userId: context.person.id, id: recordId(context), name: form.text('name') }
    await inTransaction(context, (tx, by) => renamePasskey(tx, { ...renamed, ...by }))
    return redirectTo('/security', { notice: say('The passkey is renamed.') })
  },
})

const removal = formPage({
  path: `${PATH}/:id/remove`,
  access: 'signed-in',
  async show(context, state) {
    const { id, name } = await passkeyOf(context.dependencies.database, context.person.id, recordId(context))
    const { main, scripts } = await proofForm(context, state, {
      ...{ proof: 'factor', path: `${PATH}/${id}/remove`, back: '/security', isDanger: true },
      ...{ button: say('Remove the passkey'), reason: '' },
    })
    return pageContent(
      say('Remove {name}?', { name }),
      html`
      ${errorSummary(state.errors, labels())}
      <p>${say('It signs you in no more. Delete it from your phone, computer or security key, too.')}</p>
      ${main}`,
      { isNarrow: true, scripts },
    )
  },
  async submit(context, form) {
    const now = context.dependencies.clock.now()
    const change = { userId: context.person.id, actor: actorOf(context), now, id: recordId(context) }
    await proven(context, form, 'factor', (tx) => removePasskey(tx, change))
    return redirectTo('/security', { notice: say('The passkey is removed.') })
  },
})

export const PASSKEY_PAGES = [...addition, ...creation, ...renaming, ...removal, ...proofOptions]
