import { notFound } from '@campus/engine/errors'
import {
  checkVerification,
  emailOf,
  markEmailVerified,
  requestVerification,
  VERIFY_PATH,
} from '../../access/verify-email.ts'
import { buttonForm } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { formAction, formPage, type PersonPageContext, pageContent, redirectTo } from '../page.ts'
import { tallyOf } from '../tally.ts'

export async function emailSection(context: PersonPageContext): Promise<Html> {
  const { database, config } = context.dependencies
  const { email, email_verified_at } = await emailOf(database, context.person.id)
  const address = html`<strong>${email}</strong>`
  return html`
  <h2>${say('E-mail address')}</h2>
  ${
    email_verified_at
      ? html`<p>${sayWith('You have confirmed {address}.', { address })}</p>`
      : html`<p>${sayWith('You have not confirmed {address}. Some services require a confirmed address when you sign in with this account.', { address })}</p>
  ${config.mail ? buttonForm(context, `${VERIFY_PATH}/send`, say('Send a confirmation link'), { kind: 'second' }) : ''}`
  }
  <p class="quiet">${say('Only the staff of your campus can change this address. Ask them if it is wrong.')}</p>`
}

const sending = formAction({
  path: `${VERIFY_PATH}/send`,
  access: 'signed-in',
  async submit(context) {
    const { config, database } = context.dependencies
    if (!config.mail) throw notFound('This school sends no mail.')
    await requestVerification(database, tallyOf(context), context.person.id)
    return redirectTo('/security', { notice: say('A confirmation link is on its way to your e-mail address.') })
  },
})

/** Opening the page changes nothing. */
const confirmation = formPage({
  path: VERIFY_PATH,
  access: 'signed-in',
  async show(context) {
    const email = await checkedEmail(context)
    return pageContent(
      say('Confirm your e-mail address'),
      html`
      <p>${sayWith('Is {address} your e-mail address?', { address: html`<strong>${email}</strong>` })}</p>
      ${buttonForm(context, context.path, say('Confirm'))}
      <p><a href="/security">${say('Cancel')}</a></p>`,
      { isNarrow: true },
    )
  },
  async submit(context) {
    const { database, clock } = context.dependencies
    const email = await checkedEmail(context)
    await database.transaction((tx) => markEmailVerified(tx, clock.now(), context.person.id, email))
    return redirectTo('/security', { notice: say('Your e-mail address is confirmed.') })
  },
})

/** Returns the person's address. Throws 404 unless the link was mailed to it. */
async function checkedEmail({ dependencies, person, query }: PersonPageContext): Promise<string> {
  const { database, sealer, clock } = dependencies
  const { email } = await emailOf(database, person.id)
  const link = { until: query.text('until'), proof: query.text('proof') }
  checkVerification(sealer, clock.now(), { userId: person.id, email }, link)
  return email
}

export const EMAIL_PAGES = [...sending, ...confirmation]
