import { locale } from '@campus/engine/base/languages/dictionary'
import { say } from '@campus/engine/base/languages/say'
import { isOneOf, namesOf } from '@campus/engine/base/narrow'
import { knownTimeZone } from '@campus/engine/base/time-zones'
import type { Database } from '@campus/engine/database/database'
import { describeBrowser } from '../../../access/browsers.ts'
import { createMailedReset } from '../../../access/password-resets.ts'
import { verificationLink } from '../../../access/verify-email.ts'
import type { MailDetails, MailKind } from '../../../services/mail/mail-kinds.ts'
import type { QueuedMail, WrittenMail } from '../../../services/mail/send-mails.ts'
import type { Sealer } from '../../../services/sealing/sealer.ts'
import { ENGLISH, inLanguage, type Language, type Languages } from '../../../settings/languages.ts'
import { notificationText } from '../notifications/texts.ts'
import { MAIL_TEXTS } from './mail-texts.ts'

export type Writing = {
  readonly database: Database
  /** Signs links that are not stored. */
  readonly sealer: Pick<Sealer, 'keyedHash'>
  readonly baseUrl: string
  /** Time zone for readers without a campus. */
  readonly timeZone: string
  readonly languages: Pick<Languages, 'ofSchool'>
  readonly now: Date
}

/** Writes a mail in the user's language. Returns undefined if it is no longer needed. */
export async function writeMail(
  writing: Writing,
  { kind, user_id, details }: QueuedMail,
): Promise<WrittenMail | undefined> {
  const reader = await readerOf(writing, user_id)
  if (!reader || (reader.email_stop && !SENT_TO_ALL.includes(kind))) return undefined
  const { language } = reader
  return inLanguage(language, async () => {
    if (!isOneOf(namesOf(ABOUT), kind)) throw new Error(`There is no mail of the kind ${kind}`)
    // `queueMail` types the details by kind.
    const more: Awaited<ReturnType<About>> = await Reflect.apply(ABOUT[kind], undefined, [
      { ...writing, timeZone: reader.timeZone ?? writing.timeZone },
      details,
      reader,
    ])
    if (!more) return undefined
    const words = inOneLine({ name: reader.first_name, login: reader.login, service: writing.baseUrl, ...more })
    return { ...MAIL_TEXTS[kind](words), to: more.to ?? reader.email, language: language.code }
  })
}

/** Mails about account access, which users cannot unsubscribe from. */
const SENT_TO_ALL: readonly string[] = [
  'reset_link',
  'verify_email',
  'account_changed',
  'codes_guessed',
  'passkey_suspected',
  'second_factor_added',
] satisfies MailKind[]

/** Removes line breaks, which a copied name may contain. */
const inOneLine = <Words extends Readonly<Record<string, string>>>(words: Words) =>
  Object.assign(
    {},
    words,
    Object.fromEntries(
      Object.entries(words).map(([name, word]) => [name, word.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')]),
    ),
  )

type Reader = {
  readonly id: number
  readonly login: string
  readonly email: string
  readonly first_name: string
  readonly email_stop: boolean
  readonly language: Language
  /** Time zone of the primary campus. */
  readonly timeZone: string | undefined
}

/** Returns undefined for a closed account, which gets no mail. */
async function readerOf({ database, languages: { ofSchool } }: Writing, userId: number): Promise<Reader | undefined> {
  const { kysely } = database
  const user = await kysely
    .selectFrom('users')
    .select(['id', 'login', 'email', 'email_stop'])
    .select(({ fn }) => fn.coalesce('usual_first_name', 'first_name').as('first_name'))
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!user) return undefined
  const campus = await kysely
    .selectFrom('campus_users')
    .innerJoin('campus', 'campus.id', 'campus_users.campus_id')
    .select('campus.time_zone')
    .where('user_id', '=', userId)
    .where('is_primary', '=', true)
    .executeTakeFirst()
  const spoken = await kysely
    .selectFrom('languages_users')
    .innerJoin('languages', 'languages.id', 'languages_users.language_id')
    .select('languages.identifier')
    .where('user_id', '=', userId)
    .orderBy('position')
    .orderBy('languages_users.id')
    .execute()
  const preferred = spoken.map(({ identifier }) => ofSchool.find(({ code }) => code === identifier)).find(Boolean)
  return { ...user, language: preferred ?? ofSchool[0] ?? ENGLISH, timeZone: knownTimeZone(campus?.time_zone) }
}

type About<Kind extends MailKind = MailKind> = (
  writing: Writing,
  details: MailDetails[Kind],
  reader: Reader,
) => Promise<Readonly<Record<string, string>> | undefined>

const ABOUT: { readonly [Kind in MailKind]: About<Kind> } = {
  // Created when the mail is written, so that the link is never stored.
  async reset_link(writing, { command }, { login, email }) {
    const actor = { userId: null, command }
    const reset = await writing.database.transaction((tx) =>
      createMailedReset(tx, writing.now, { login, actor, mailedTo: email }),
    )
    return { link: writing.baseUrl + reset.path, until: timeOf(writing, reset.expiresAt) }
  },

  async verify_email(writing, _details, { id: userId, email }) {
    const { path, expiresAt } = verificationLink(writing.sealer, writing.now, { userId, email })
    return { link: writing.baseUrl + path, until: timeOf(writing, expiresAt) }
  },

  async new_sign_in(writing, { at, address, ...browser }) {
    return { address, browser: describeBrowser(browser), at: timeOf(writing, new Date(at)) }
  },

  async account_changed(writing, { what, at, to, ...by }) {
    return { what, by: await describeActor(writing, by), at: timeOf(writing, new Date(at)), ...(to ? { to } : {}) }
  },

  async codes_guessed(writing, { at, address }) {
    return { by: say('from {address}', { address }), at: timeOf(writing, new Date(at)) }
  },

  async second_factor_added(writing, { what, name, address, at }) {
    return { what, passkey: name, address, at: timeOf(writing, new Date(at)) }
  },

  async passkey_suspected(writing, { name, address, at }) {
    return { passkey: name, address, at: timeOf(writing, new Date(at)) }
  },

  async secret_ending(writing, { applicationId, until }, { id }) {
    const application = await writing.database.kysely
      .selectFrom('applications')
      .select(['name', 'previous_secret_valid_until'])
      .where('id', '=', applicationId)
      .where('owner_id', '=', id)
      .executeTakeFirst()
    const endsAt = application?.previous_secret_valid_until
    // Another rotation has replaced this secret and sends its own mail.
    if (!endsAt || endsAt.getTime() !== Date.parse(until) || endsAt <= writing.now) return undefined
    const link = `${writing.baseUrl}/applications/${applicationId}`
    return { application: application.name, until: timeOf(writing, endsAt), link }
  },

  async endpoint_switched_off(writing, { endpointId }) {
    const endpoint = await writing.database.kysely
      .selectFrom('endpoints')
      .select(['url', 'switched_off_because'])
      .where('id', '=', endpointId)
      .where('active', '=', false)
      .executeTakeFirst()
    if (!endpoint) return undefined
    const link = `${writing.baseUrl}/staff/endpoints/${endpointId}`
    return { url: endpoint.url ?? '', because: endpoint.switched_off_because ?? '', link }
  },

  async notification(writing, notification) {
    const found = notificationText(notification, (at) => timeOf(writing, at))
    return found && { text: found.text, link: writing.baseUrl + found.path }
  },

  async webhook_switched_off(writing, { webhookId: subscriptionId }, { id }) {
    const webhook = await writing.database.kysely
      .selectFrom('webhooks')
      .innerJoin('applications', 'applications.id', 'application_id')
      .select(['application_id', 'name', 'model', 'event', 'webhooks.url', 'switched_off_because'])
      .where('webhooks.id', '=', subscriptionId)
      .where('active', '=', false)
      .where('owner_id', '=', id)
      .executeTakeFirst()
    if (!webhook) return undefined
    const { application_id, name: application, model, event, url, switched_off_because: because } = webhook
    const link = `${writing.baseUrl}/applications/${application_id}/webhooks/${subscriptionId}`
    return { application, model, event, url, because: because ?? '', link }
  },
}

type ActorOfMail = Omit<MailDetails['account_changed'], 'what' | 'at' | 'to'>

async function describeActor({ database }: Writing, { actorId, applicationId, command, address }: ActorOfMail) {
  const { kysely } = database
  const nameOf = async (id: number) =>
    (await kysely.selectFrom('applications').select('name').where('id', '=', id).executeTakeFirst())?.name
  const loginOf = async (id: number) =>
    (await kysely.selectFrom('users').select('login').where('id', '=', id).executeTakeFirst())?.login
  const application = applicationId && (await nameOf(applicationId))
  return [
    command === undefined ? actorId && (await loginOf(actorId)) : say('an operator, on the command line'),
    application && say('with the application {application}', { application }),
    address && say('from {address}', { address }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Includes the name of the zone, which no page around a mail shows. */
const timeOf = ({ timeZone }: Writing, time: Date) =>
  `${new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short', timeZone }).format(time)} (${timeZone})`
