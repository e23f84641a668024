import { message } from '../../base/languages/say.ts'
import { RESERVED_NAMES } from '../../base/text/slugs.ts'

/** Letters that are no accented form of a plain one. */
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
/** For names written without a single Latin letter. */
const STEM_OF_NOBODY = 'user'

/** A login begins with a letter, so that it is never mistaken for an id; nor is it a word that follows in paths. */
export const LOGIN = new RegExp(`^(?!(?:${RESERVED_NAMES.join('|')})$)[a-z][a-z0-9_-]{0,30}$`)
export const LOGIN_RULE = message(
  'must be 1 to 31 lower-case letters, digits, "-" or "_", the first of them a letter, and not {reserved}',
  { reserved: RESERVED_NAMES.join(' or ') },
)

export const isLogin = (text: string) => LOGIN.test(text)

/** What a school would make of the names: the first letter of the one and the other, in plain letters, at most eight. */
export function loginStem(firstName: string, lastName: string): string {
  const stem = toPlainLetters(firstName).slice(0, 1) + toPlainLetters(lastName)
  return stem.slice(0, MAX_STEM) || STEM_OF_NOBODY
}

function toPlainLetters(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z]/g, (letter) => PLAIN_FORMS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/[^a-z]/g, '')
}
