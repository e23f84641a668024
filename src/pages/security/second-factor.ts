import type { Handle } from '../../database/database.ts'
import { countAttempt, forgetAttempts } from '../../domain/access/attempts.ts'
import { isFresh, type Proof, proofNeeded, reauthenticate } from '../../domain/access/reauthenticate.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  pendingEnrolment,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorSince,
  verifySecondFactor,
} from '../../domain/access/second-factor.ts'
import { actorOf } from '../actor.ts'
import { COPY_SCRIPT_URL, copiedLines } from '../copy.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import type { Form } from '../form.ts'
import { type Html, html, raw } from '../html.ts'
import { type FormState, formPage, type Outcome, page, pageContent, redirectTo } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { say, sayWith } from '../say.ts'
import { tallyOf } from '../tally.ts'
import { timeOf } from '../times.ts'

const PATH = '/security/second-factor'
const labels = () => ({ code: say('Code'), current_password: say('Current password') })
const PER_SESSION = { max: 10, withinSeconds: 900 }
const PER_DAY = { max: 50, withinSeconds: 86_400, remedy: 'sign in again' } as const

/** What the page on security says about the second factor. */
export async function secondFactorSection(context: PersonPageContext): Promise<Html> {
  const { database } = context.dependencies
  const since = await secondFactorSince(database, context.person.id)
  return html`
  <h2>${say('Second factor')}</h2>
  ${
    since
      ? html`<p>${sayWith('On since {time}: signing in asks for a code of your authenticator app too.', {
          time: timeOf(context, since),
        })} ${codesLeft(await countRecoveryCodes(database, context.person.id))}</p>`
      : html`<p>${say(
          'Off. With it, signing in asks for a code of an authenticator app on your phone too, so that your password alone opens nothing.',
        )}</p>`
  }
  <p><a class="button second" href="${PATH}">${since ? say('Change the second factor') : say('Set up a second factor')}</a></p>`
}

/** /security/second-factor: where it stands, and what can be done from there. */
const overview = page({
  path: PATH,
  access: 'signed-in',
  async show(context) {
    const { database, sealer, clock } = context.dependencies
    const userId = context.person.id
    if (await secondFactorSince(database, userId)) return inForce(context)
    if (await pendingEnrolment(database, { sealer, userId, now: clock.now() })) return redirectTo(`${PATH}/confirm`)
    return askToBegin(context, { form: undefined, errors: {} })
  },
})

async function askToBegin(context: PersonPageContext, state: FormState): Promise<Outcome> {
  const { database, clock } = context.dependencies
  const needed = await proofNeeded(database, context.person.id)
  const mustSignIn = needed === 'fresh sign-in' && !isFresh(clock.now(), context.session)
  return pageContent(
    say('Set up a second factor'),
    html`
    ${errorSummary(state.errors, labels())}
    <p>${say('You need an authenticator app on your phone: any that knows time-based codes (TOTP) will do.')}</p>
    ${mustSignIn ? signInAgain() : beginForm(context, state, needed)}
    <p><a href="/security">${say('Back to Sessions and security')}</a></p>`,
    { isNarrow: true },
  )
}

const beginForm = (context: PersonPageContext, state: FormState, needed: Proof): Html => html`
  <form method="post" action="${PATH}/begin">
    ${csrfField(context)}
    ${
      needed === 'password'
        ? html`<input type="hidden" name="username" autocomplete="username" value="${context.person.login}">
    ${textField(state, {
      name: 'current_password',
      label: labels().current_password,
      type: 'password',
      required: true,
      autocomplete: 'current-password',
      hint: say('So that nobody sets one up on a browser that you left open.'),
    })}`
        : ''
    }
    <div class="actions"><button>${say('Begin')}</button></div>
  </form>`

const signInAgain = (): Html => html`
  <p>${say('You signed in some time ago. Sign in again, so that nobody sets one up on a browser that you left open.')}</p>
  <p><a class="button" href="/sign-in?again=yes&amp;return_to=${encodeURIComponent(PATH)}">${say('Sign in again')}</a></p>`

const codesLeft = (count: number) =>
  say('{count, plural, one {# recovery code is left.} other {# recovery codes are left.}}', { count })

async function inForce(context: PersonPageContext): Promise<Outcome> {
  const left = await countRecoveryCodes(context.dependencies.database, context.person.id)
  return pageContent(
    say('Second factor'),
    html`
    <p>${say('It is on.')} ${codesLeft(left)}</p>
    <ul class="plain actions">
      <li><a class="button second" href="${PATH}/recovery-codes">${say('Make new recovery codes')}</a></li>
      <li><a class="button danger" href="${PATH}/remove">${say('Switch it off')}</a></li>
    </ul>
    <p><a href="/security">${say('Back to Sessions and security')}</a></p>`,
    { isNarrow: true },
  )
}

/** /security/second-factor/begin: for who proves once more that it is them. */
const begin = formPage({
  path: `${PATH}/begin`,
  access: 'signed-in',
  show: (context, state) => askToBegin(context, state),
  async submit(context, form) {
    const { database, clock, sealer } = context.dependencies
    await reauthenticate(tallyOf(context), context.session, form.text('current_password'))
    await database.transaction((tx) => beginSecondFactor(tx, { sealer, userId: context.person.id, now: clock.now() }))
    return redirectTo(`${PATH}/confirm`)
  },
})

/** /security/second-factor/confirm: shows the secret for the app and asks for a first code. */
const confirmation = formPage({
  path: `${PATH}/confirm`,
  access: 'signed-in',
  async show(context, state) {
    const { database, sealer, clock } = context.dependencies
    const enrolment = await pendingEnrolment(database, { sealer, userId: context.person.id, now: clock.now() })
    if (!enrolment) return redirectTo(PATH)
    const { default: QRCode } = await import('qrcode')
    const image = await QRCode.toString(enrolment.uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
    return pageContent(
      say('Set up a second factor'),
      html`
      ${errorSummary(state.errors, labels())}
      <ol>
        <li>${say('Scan this picture with your authenticator app.')}
          <div class="qr" role="img" aria-label="${say('QR code of the secret shown below as text')}">${raw(image)}</div>
          ${sayWith('Without a camera, type this secret: {secret}', {
            secret: html`<span class="code" id="secret">${inGroups(enrolment.secret)}</span>`,
          })}</li>
        <li>${say('Enter the code that it shows.')}</li>
      </ol>
      <form method="post" action="${PATH}/confirm">
        ${csrfField(context)}
        ${codeField(state, say('The six digits that the app shows now.'))}
        <div class="actions"><button>${say('Switch it on')}</button><a href="/security">${say('Not now')}</a></div>
      </form>`,
      { isNarrow: true },
    )
  },
  async submit(context, form) {
    const { database } = context.dependencies
    await guarded(context)
    const codes = await database.transaction((tx) => confirmSecondFactor(tx, withCode(context, form)))
    await forgetAttempts(tallyOf(context), attemptsOf(context))
    return showCodes(say('The second factor is on'), codes)
  },
})

/** /security/second-factor/recovery-codes: new ones, against a code. */
const recoveryCodes = formPage({
  path: `${PATH}/recovery-codes`,
  access: 'signed-in',
  show: async (context, state) =>
    askForCode(context, state, {
      title: say('Make new recovery codes'),
      path: `${PATH}/recovery-codes`,
      button: say('Make new codes'),
      text: say('The former ones end. You see the new ones once.'),
    }),
  submit: async (context, form) =>
    showCodes(
      say('Your new recovery codes'),
      await proven(context, form, (tx) => renewRecoveryCodes(tx, withCode(context, form))),
    ),
})

/** /security/second-factor/remove: off, against a code. */
const removal = formPage({
  path: `${PATH}/remove`,
  access: 'signed-in',
  show: async (context, state) =>
    askForCode(context, state, {
      title: say('Switch the second factor off?'),
      path: `${PATH}/remove`,
      button: say('Switch it off'),
      text: say('From then on your password alone is enough to sign in.'),
    }),
  async submit(context, form) {
    await proven(context, form, (tx) => removeSecondFactor(tx, withCode(context, form)))
    return redirectTo('/security', { notice: say('The second factor is off.') })
  },
})

export const SECOND_FACTOR_PAGES = [...overview, ...begin, ...confirmation, ...recoveryCodes, ...removal]

type Question = { readonly title: string; readonly path: string; readonly text: string; readonly button: string }

async function askForCode(context: PersonPageContext, state: FormState, question: Question): Promise<Outcome> {
  if (!(await secondFactorSince(context.dependencies.database, context.person.id))) return redirectTo(PATH)
  return pageContent(
    question.title,
    html`
    ${errorSummary(state.errors, labels())}
    <p>${question.text}</p>
    <form method="post" action="${question.path}">
      ${csrfField(context)}
      ${codeField(state, say('A code of the app, or one of your recovery codes.'))}
      <div class="actions"><button>${question.button}</button><a href="${PATH}">${say('Cancel')}</a></div>
    </form>`,
    { isNarrow: true },
  )
}

/** A code that was refused is never the right one the next time. */
const codeField = ({ errors }: FormState, hint: string): Html =>
  textField(
    { errors, form: undefined },
    {
      name: 'code',
      label: labels().code,
      hint,
      autocomplete: 'one-time-code',
      required: true,
    },
  )

/** In a list to copy, and as a file: a `data:` address, since the service could not show them again. */
function showCodes(title: string, codes: readonly string[]): Outcome {
  const text = codes.join('\n')
  return pageContent(
    title,
    html`
    <p class="notice"><strong>${say('Keep these recovery codes.')}</strong>
      ${say('Each signs you in once when your phone is not there. They are shown this once.')}</p>
    ${copiedLines({ id: 'recovery-codes', text, button: say('Copy the codes') })}
    <p><a class="button second" href="data:text/plain;base64,${Buffer.from(`${text}\n`).toString('base64')}" download="campus-recovery-codes.txt">${say('Download the codes')}</a></p>
    <p><a class="button" href="/security">${say('Back to Sessions and security')}</a></p>`,
    { isNarrow: true, scripts: [COPY_SCRIPT_URL] },
  )
}

/** Does something after a proof, both or neither. */
async function proven<T>(context: PersonPageContext, form: Form, work: (tx: Handle) => Promise<T>): Promise<T> {
  await guarded(context)
  const done = await context.dependencies.database.transaction(async (tx) => {
    await verifySecondFactor(tx, withCode(context, form))
    return work(tx)
  })
  await forgetAttempts(tallyOf(context), attemptsOf(context))
  return done
}

async function guarded(context: PersonPageContext): Promise<void> {
  await countAttempt(tallyOf(context), attemptsOf(context), PER_SESSION)
  await countAttempt(tallyOf(context), `${attemptsOf(context)} in a day`, PER_DAY)
}

const attemptsOf = ({ session }: PersonPageContext) => `second factor in session ${session.id}`

const withCode = (context: PersonPageContext, form: Form) => ({
  sealer: context.dependencies.sealer,
  userId: context.person.id,
  now: context.dependencies.clock.now(),
  code: form.text('code'),
  actor: actorOf(context),
})

const inGroups = (secret: string) => (secret.match(/.{1,4}/g) ?? []).join(' ')
