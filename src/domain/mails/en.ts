import type { MailTexts, Words } from './mail-texts.ts'

const letter = ({ name, service }: Words, ...paragraphs: readonly string[]) =>
  [`Hello ${name},`, ...paragraphs, `Campus Intranet\n${service}`].join('\n\n')

/** Mails in English. */
export const ENGLISH: MailTexts = {
  reset_link: (words) => ({
    subject: 'Choose another password',
    text: letter(
      words,
      `with this link you choose another password for your account ${words.login}. It works once, until ${words.until}:`,
      `${words.link}`,
      'If it was not you who asked for it, there is nothing to do: your password stays as it is.',
    ),
  }),
  new_sign_in: (words) => ({
    subject: 'A new sign-in to your account',
    text: letter(
      words,
      `somebody has signed in to your account ${words.login} in a browser that it did not know:`,
      `${words.browser}, from ${words.address}, ${words.at}`,
      `If it was not you, change your password and end the other sessions: ${words.service}/security`,
    ),
  }),
  secret_ending: (words) => ({
    subject: `The former secret of "${words.application}" ends`,
    text: letter(
      words,
      `the secret of your application "${words.application}" was changed; the former one is accepted until ${words.until}.`,
      `A program that still uses it gets no tokens from then on. Give it the new secret, or make another one: ${words.link}`,
    ),
  }),
  endpoint_switched_off: (words) => ({
    subject: 'A webservice was switched off',
    text: letter(
      words,
      `the webservice ${words.url} gets no more calls, since ${words.because}.`,
      `Accounts that change from now on are not told to it. See what it answered, and switch it on again when it works: ${words.link}`,
    ),
  }),
}
