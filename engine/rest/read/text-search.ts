import { once } from '../../base/once.ts'
import { normalForm } from '../../base/text/normal-form.ts'

/** Combining marks by script. Marks of other scripts are letters of their own. */
const ACCENTS: readonly (readonly [script: RegExp, signs: string])[] = [
  [/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u, '\\u0300-\\u036f'],
  [/\p{Script=Hebrew}/u, '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7'],
  [/\p{Script=Arabic}/u, '\\u0610-\\u061a\\u064b-\\u065f\\u0670'],
]
const ACCENT = new RegExp(`[${ACCENTS.map(([, signs]) => signs).join('')}]`, 'g')

/** Letters that Unicode does not decompose, with their plain form. */
const STROKES: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ŧ: 't', ð: 'd' }

function folded(letter: string): string {
  const small = normalForm(letter, 'NFD').replace(ACCENT, '').toUpperCase().toLowerCase()
  return STROKES[small] ?? small
}

/** Scripts beyond this code have neither capitals nor accents. */
const LAST_CODE = 0x2fff

const variants = once(() => {
  const letters = Array.from({ length: LAST_CODE + 1 }, (_, code) => String.fromCharCode(code))
  return Map.groupBy(
    letters.filter((letter) => /\p{L}/u.test(letter)),
    folded,
  )
})

/** Returns a regular expression without case and accents. PostgreSQL itself folds letters by the server's locale. */
export const patternOf = (word: string): string =>
  [...normalForm(word, 'NFC').replace(ACCENT, '')].map((letter) => classOf(letter) + accentsOf(letter)).join('')

/** Shorter words occur in too many texts for an index. */
const MIN_SEARCHED = 3

/** Returns a `like` pattern on `searched_text`, which an index serves, or undefined for too few ASCII characters. */
export function searchedPattern(word: string): string | undefined {
  const letters = [...normalForm(word, 'NFC')].map(folded).filter((letter) => /^[ -~]$/.test(letter))
  return letters.length < MIN_SEARCHED ? undefined : `%${letters.join('').replace(/[\\%_]/g, '\\$&')}%`
}

function classOf(letter: string): string {
  const representations = new Set([
    letter,
    letter.toLowerCase(),
    letter.toUpperCase(),
    ...(variants().get(folded(letter)) ?? []),
  ])
  // Some capitals have two letters.
  const single = [...representations].filter((representation) => [...representation].length === 1)
  return single.length > 1 ? `[${single.join('')}]` : escaped(letter)
}

function accentsOf(letter: string): string {
  const signs = ACCENTS.find(([script]) => script.test(letter))?.[1]
  return signs === undefined ? '' : `[${signs}]*`
}

const escaped = (letter: string) => (/[\p{L}\p{N}\s]/u.test(letter) ? letter : `\\${letter}`)
