import { message } from '@campus/engine/base/languages/say'
import { normalForm } from '@campus/engine/base/text/normal-form'
import { RESERVED_NAMES } from '@campus/engine/base/text/slugs'

/** Plain forms of letters that Unicode does not decompose. */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const MAX_STEM = 8
/** Stem for names without a Latin letter. */
const STEM_OF_NOBODY = 'user'

/**
 * Logins may begin with a digit (`3b3-42424` stands for an anonymized person) and contain single dots. A login stands for the id in
 * paths, so it is never a number, a reserved word, or a name that ends in `.json`, which paths drop.
 */
export const LOGIN = new RegExp(
  `^(?!(?:${RESERVED_NAMES.join('|')}|\\d+|.*\\.json)$)(?=.{1,31}$)[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*$`,
)
export const LOGIN_RULE = message(
  'must be 1 to 31 lower-case letters, digits, "-", "_" or single dots inside. It must not be a number, {reserved}, or end in ".json"',
  { reserved: RESERVED_NAMES.join(' or ') },
)

export const isLogin = (text: string) => LOGIN.test(text)

/** Returns the first letter of the first name and the last name, in ASCII, at most eight letters. */
export function loginStem(firstName: string, lastName: string): string {
  const stem = toPlainLetters(firstName).slice(0, 1) + toPlainLetters(lastName)
  return stem.slice(0, MAX_STEM) || STEM_OF_NOBODY
}

function toPlainLetters(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, (letter) => PLAIN_FORMS[letter] ?? letter)
  return normalForm(plain, 'NFKD').replace(/[^a-z]/g, '')
}
