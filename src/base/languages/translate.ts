import { defined } from '../defined.ts'
import { once } from '../once.ts'
import { language } from './language.ts'
import { LANGUAGES, languageFile } from './languages.ts'
import { formatOf } from './say.ts'

/**
 * What another part of the service has said in English, in the language of the reader: a refusal, or what was recorded.
 * What the language does not know stays as it is.
 */
export function translate(text: string): string {
  for (const { pattern, names, said } of PATTERNS.get(language())?.() ?? []) {
    const found = pattern.exec(text)
    if (!found) continue
    return String(
      formatOf(said).format(
        Object.fromEntries(names.map((name, at) => [name, countable(translate(found[at + 1] ?? ''))])),
      ),
    )
  }
  return text
}

const PLACE = /\{(\w+)\}/g

/** Those with most words of their own first, so that a text is not taken for a vaguer one. */
const PATTERNS = new Map(
  LANGUAGES.map((one) => [
    one,
    once(() =>
      Object.entries(languageFile(one).messages)
        .sort(([a], [b]) => wordsOf(b) - wordsOf(a))
        .map(([english, said]) => ({
          pattern: new RegExp(`^${english.split(PLACE).map(partOfPattern).join('')}$`, 's'),
          names: [...english.matchAll(PLACE)].map(([, name]) => defined(name)),
          said,
        })),
    ),
  ]),
)

const wordsOf = (english: string) => english.replace(PLACE, '').length

/** Every second part is the name of a place. */
const partOfPattern = (part: string, index: number) =>
  index % 2 === 1 ? '(.*?)' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A number, where it may be counted with. */
const countable = (text: string) => (/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text)
