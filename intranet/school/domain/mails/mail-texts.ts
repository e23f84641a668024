import { say } from '@campus/engine/base/languages/say'
import { isOneOf, namesOf } from '@campus/engine/base/narrow'
import type { AccountChange, MailKind } from '../../../services/mail/mail-kinds.ts'
import { reasonText } from '../../../webhooks/stored-reasons.ts'

type MailValues = {
  /** First name. */
  readonly name: string
  /** Address of the service. */
  readonly service: string
} & Readonly<Record<string, string>>

type MailText = { readonly subject: string; readonly text: string }

const letter = ({ name, service }: MailValues, ...paragraphs: readonly string[]) =>
  [say('Hello {name},', { name }), ...paragraphs, `Campus Intranet\n${service}`].join('\n\n')

const ACCOUNT_CHANGES: { readonly [Change in AccountChange]: () => string } = {
  account_changed: () => say('somebody has changed the login, the e-mail address or the kind of your account.'),
  password_changed: () => say('somebody has given your account another password.'),
  password_reset: () => say('somebody has chosen another password for your account by a link.'),
  reset_link_created: () => say('somebody has made a link with which another password is chosen for your account.'),
  second_factor_disabled: () => say('somebody has switched the second factor of your account off.'),
}

/** Texts of mails in the language of the current context. */
export const MAIL_TEXTS: { readonly [Kind in MailKind]: (words: MailValues) => MailText } = {
  reset_link: (words) => ({
    subject: say('Choose another password'),
    text: letter(
      words,
      say('with this link you choose another password for your account {login}. It works once, until {until}:', words),
      `${words.link}`,
      say('If it was not you who asked for it, there is nothing to do: your password stays as it is.'),
    ),
  }),
  verify_email: (words) => ({
    subject: say('Confirm your e-mail address'),
    text: letter(
      words,
      say('with this link you confirm that this is the e-mail address of your account {login}, until {until}:', words),
      `${words.link}`,
      say('If you did not ask for this link, ignore this mail.'),
    ),
  }),
  new_sign_in: (words) => ({
    subject: say('A new sign-in to your account'),
    text: letter(
      words,
      say('somebody has signed in to your account {login} in a browser that it did not know:', words),
      say('{browser}, from {address}, {at}', words),
      say('If it was not you, change your password and end the other sessions: {service}/security', words),
    ),
  }),
  account_changed: ({ what = '', ...words }) => ({
    subject: say('Your account was changed'),
    text: letter(
      words,
      isOneOf(namesOf(ACCOUNT_CHANGES), what) ? ACCOUNT_CHANGES[what]() : what,
      say('It was {by}; {at}.', words),
      say(
        'If you do not know why, ask the staff of your campus. What was done to your account: {service}/security',
        words,
      ),
    ),
  }),
  codes_guessed: (words) => ({
    subject: say('Somebody tries codes of your second factor'),
    text: letter(
      words,
      say('somebody who knows the password of your account {login} has tried many codes of your second factor:', words),
      say('{by}, {at}', words),
      say('If it was not you, choose another password, which also lets you sign in again: {service}/security', words),
    ),
  }),
  second_factor_added: ({ what = '', ...words }) => ({
    subject: what === 'passkey' ? say('A passkey was added to your account') : say('An app was added to your account'),
    text: letter(
      words,
      what === 'passkey'
        ? say('the passkey "{passkey}" signs in to your account {login} from now on:', words)
        : say('signing in to your account {login} asks for a code of an authenticator app from now on:', words),
      say('from {address}, {at}', words),
      say('If it was not you, remove it, change your password and end the other sessions: {service}/security', words),
    ),
  }),
  passkey_suspected: (words) => ({
    subject: say('A passkey of your account may have been copied'),
    text: letter(
      words,
      say(
        'the passkey "{passkey}" of your account {login} was used, and refused, since another copy of it seems to be in use:',
        words,
      ),
      say('from {address}, {at}', words),
      say('Remove this passkey and add another one: {service}/security', words),
    ),
  }),
  secret_ending: (words) => ({
    subject: say('The former secret of "{application}" ends', words),
    text: letter(
      words,
      say(
        'the secret of your application "{application}" was changed; the former one is accepted until {until}.',
        words,
      ),
      say(
        'A program that still uses it gets no tokens from then on. Give it the new secret, or make another one: {link}',
        words,
      ),
    ),
  }),
  endpoint_switched_off: ({ because = '', ...words }) => ({
    subject: say('A webservice was switched off'),
    text: letter(
      words,
      say('the webservice {url} gets no more calls, since {because}.', { ...words, because: say(reasonText(because)) }),
      say(
        'It gets no webhooks about accounts that change from now on. See what it answered, and switch it on again when it works: {link}',
        words,
      ),
    ),
  }),
  notification: ({ text = '', ...words }) => ({
    subject: text,
    text: letter(
      words,
      text,
      `${words.link}`,
      say('You chose to get this by mail. Choose otherwise: {service}/notifications', words),
    ),
  }),
  webhook_switched_off: ({ because = '', ...words }) => ({
    subject: say('A webhook of "{application}" was switched off', words),
    text: letter(
      words,
      say('{url} gets no more webhooks about {model} {event}, since {because}.', {
        ...words,
        because: say(reasonText(because)),
      }),
      say(
        'What changes from now on is not sent. See what it answered, and switch the webhook on again when it works: {link}',
        words,
      ),
    ),
  }),
}
