import { factorsOf } from '../../access/factors.ts'
import { countRecoveryCodes } from '../../access/recovery-codes.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingEnrolment,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorSince,
} from '../../access/second-factor.ts'
import { requiredBy } from '../../access/second-factor-requirements.ts'
import { actorOf } from '../actor.ts'
import { copied } from '../copy.ts'
import { csrfField, errorSummary } from '../fields.ts'
import { type Html, html, raw, say, sayWith } from '../html.ts'
import { type FormState, formPage, type Outcome, page, pageContent, redirectTo } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { timeOf } from '../times.ts'
import {
  codeField,
  guarded,
  otherBrowsersNote,
  proofForm,
  proofLabels,
  proven,
  renewingKey,
  withCode,
} from './proof.ts'
import { explainCodesShown, RECOVERY_PATH, showCodes } from './recovery-codes.ts'

const PATH = '/security/second-factor'

export async function secondFactorSection(context: PersonPageContext): Promise<Html> {
  const { database } = context.dependencies
  const { appSince, passkeys } = await factorsOf(database, context.person.id)
  const setUpText = passkeys > 0 ? say('Set up an authenticator app') : say('Set up a second factor')
  const buttonText = appSince ? say('Change the second factor') : setUpText
  const names = (await requiredBy(database, context.person.id)).join(', ')
  return html`
  <h2>${say('Second factor')}</h2>
  ${
    appSince
      ? html`<p>${sayWith('On since {time}: signing in asks for a code of your authenticator app too.', {
          time: timeOf(context, appSince),
        })}</p>`
      : html`<p>${
          passkeys > 0
            ? say(
                'Your passkeys are one: signing in with your password asks for one of them, too. Codes of an authenticator app can be asked for instead.',
              )
            : say(
                'Off. With it, signing in asks for a code of an authenticator app on your phone too, so that your password alone opens nothing.',
              )
        }</p>`
  }
  ${names ? html`<p>${say('A second factor is required of you by {names}.', { names })}</p>` : ''}
  <div class="actions"><a class="button second" href="${PATH}">${buttonText}</a>
    ${
      appSince || passkeys > 0
        ? html`<a class="button second" href="${RECOVERY_PATH}">${say('Make new recovery codes')}</a>`
        : ''
    }</div>
  ${
    appSince || passkeys > 0
      ? html`<p class="quiet">${codesLeft(await countRecoveryCodes(database, context.person.id))}</p>`
      : ''
  }`
}

const inSession = ({ dependencies, person, session }: PersonPageContext) => ({
  sealer: dependencies.sealer,
  userId: person.id,
  sessionId: session.id,
  now: dependencies.clock.now(),
})

const overview = page({
  path: PATH,
  access: 'enrolling',
  async show(context) {
    const { database } = context.dependencies
    if (await secondFactorSince(database, context.person.id)) return inForce(context)
    if (await pendingEnrolment(database, inSession(context))) return redirectTo(`${PATH}/confirm`)
    return askToBegin(context, { form: undefined, errors: {} })
  },
})

async function askToBegin(context: PersonPageContext, state: FormState): Promise<Outcome> {
  const { main, scripts } = await proofForm(context, state, {
    ...{ proof: 'all', path: `${PATH}/begin`, back: context.enrolling ? PATH : '/security', button: say('Begin') },
    reason: say('So that nobody sets one up on a browser that you left open.'),
  })
  return pageContent(
    say('Set up a second factor'),
    html`
    ${errorSummary(state.errors, proofLabels())}
    <p>${say('You need an authenticator app on your phone: any that knows time-based codes (TOTP) will do.')}</p>
    <p>${otherBrowsersNote()}</p>
    ${main}
    <p><a href="/security">${say('Back to Sessions and security')}</a></p>`,
    { isNarrow: true, scripts },
  )
}

const codesLeft = (count: number) =>
  say('{count, plural, one {# recovery code is left.} other {# recovery codes are left.}}', { count })

async function inForce(context: PersonPageContext): Promise<Outcome> {
  const left = await countRecoveryCodes(context.dependencies.database, context.person.id)
  return pageContent(
    say('Second factor'),
    html`
    <p>${say('It is on.')} ${codesLeft(left)}</p>
    <ul class="plain actions">
      <li><a class="button second" href="${RECOVERY_PATH}">${say('Make new recovery codes')}</a></li>
      <li><a class="button danger" href="${PATH}/remove">${say('Switch it off')}</a></li>
    </ul>
    <p><a href="/security">${say('Back to Sessions and security')}</a></p>`,
    { isNarrow: true },
  )
}

const begin = formPage({
  path: `${PATH}/begin`,
  access: 'enrolling',
  show: (context, state) => askToBegin(context, state),
  async submit(context, form) {
    await proven(context, form, 'all', (tx) => beginSecondFactor(tx, inSession(context)))
    return redirectTo(`${PATH}/confirm`)
  },
})

const confirmation = formPage({
  path: `${PATH}/confirm`,
  access: 'enrolling',
  async show(context, state) {
    const enrolment = await pendingEnrolment(context.dependencies.database, inSession(context))
    if (!enrolment) return state.form ? showNotConfirmed(state) : leaveConfirmation(context)
    const { default: QRCode } = await import('qrcode')
    const image = await QRCode.toString(enrolment.uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
    return pageContent(
      say('Set up a second factor'),
      html`
      ${errorSummary(state.errors, proofLabels())}
      <ol>
        <li>${say('Scan this picture with your authenticator app.')}
          <div class="qr" role="img" aria-label="${say('QR code of the secret shown below as text')}">${raw(image)}</div>
          <p><a href="${enrolment.uri}">${say('Or open your authenticator app on this device')}</a></p>
          <p>${say('Without a camera, type this secret:')}
          ${copied({ id: 'secret', text: inGroups(enrolment.secret), copies: enrolment.secret, button: say('Copy the secret') })}</p></li>
        <li>${say('Enter the code that it shows.')}</li>
      </ol>
      <form method="post" action="${PATH}/confirm">
        ${csrfField(context)}
        ${codeField(state, say('The six digits that the app shows now.'), { isNumeric: true })}
        <div class="actions"><button>${say('Switch it on')}</button><a href="/security">${say('Not now')}</a></div>
      </form>`,
      { isNarrow: true, scripts: ['copy'] },
    )
  },
  showStale: explainCodesShown,
  async submit(context, form) {
    const confirming = { ...withCode(context, form), ...inSession(context) }
    const confirm = () => renewingKey(context, (tx) => confirmSecondFactor(tx, confirming))
    const codes = await guarded(context, confirm)
    if (codes.length > 0) return showCodes(context, say('The second factor is on'), codes)
    return redirectTo('/security', { notice: say('The second factor is on') })
  },
})

const showNotConfirmed = ({ errors }: FormState): Outcome =>
  pageContent(
    say('No second factor was set up'),
    html`${errorSummary(errors, proofLabels())}
    <p><a class="button" href="${PATH}">${say('Begin again')}</a></p>`,
    { isNarrow: true },
  )

async function leaveConfirmation({ dependencies, person }: PersonPageContext): Promise<Outcome> {
  if (await secondFactorSince(dependencies.database, person.id)) return redirectTo(PATH)
  return redirectTo(PATH, {
    notice: say('There is nothing to confirm, or it was begun too long ago. Begin again.'),
  })
}

const recoveryCodes = formPage({
  path: RECOVERY_PATH,
  access: 'signed-in',
  showStale: explainCodesShown,
  async show(context, state) {
    const { appSince, passkeys } = await factorsOf(context.dependencies.database, context.person.id)
    if (!appSince && passkeys === 0) return redirectTo(PATH)
    return askForProof(context, state, {
      title: say('Make new recovery codes'),
      path: RECOVERY_PATH,
      button: say('Make new codes'),
      text: say('The former ones end. You see the new ones once.'),
    })
  },
  submit: async (context, form) =>
    showCodes(
      context,
      say('Your new recovery codes'),
      await proven(context, form, 'factor', (tx) => renewRecoveryCodes(tx, withCode(context, form))),
    ),
})

const removal = formPage({
  path: `${PATH}/remove`,
  access: 'signed-in',
  async show(context, state) {
    const { appSince, passkeys } = await factorsOf(context.dependencies.database, context.person.id)
    if (!appSince) return redirectTo(PATH)
    return askForProof(context, state, {
      title: say('Switch the second factor off?'),
      path: `${PATH}/remove`,
      button: say('Switch it off'),
      text:
        passkeys > 0
          ? say('From then on signing in with your password asks for a passkey.')
          : say('From then on your password alone is enough to sign in.'),
    })
  },
  async submit(context, form) {
    const removed = { userId: context.person.id, now: context.dependencies.clock.now(), actor: actorOf(context) }
    await proven(context, form, 'factor', (tx) => removeSecondFactor(tx, removed))
    return redirectTo('/security', { notice: say('The second factor is off.') })
  },
})

export const SECOND_FACTOR_PAGES = [...overview, ...begin, ...confirmation, ...recoveryCodes, ...removal]

type Question = { readonly title: string; readonly path: string; readonly text: string; readonly button: string }

async function askForProof(context: PersonPageContext, state: FormState, question: Question): Promise<Outcome> {
  const { title, text, path, button } = question
  const { main, scripts } = await proofForm(context, state, {
    proof: 'factor',
    path,
    back: '/security',
    button,
    reason: '',
  })
  return pageContent(
    title,
    html`
    ${errorSummary(state.errors, proofLabels())}
    <p>${text}</p>
    ${main}`,
    { isNarrow: true, scripts },
  )
}

const inGroups = (secret: string) => (secret.match(/.{1,4}/g) ?? []).join(' ')
