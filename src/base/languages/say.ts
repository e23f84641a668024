import { IntlMessageFormat } from 'intl-messageformat'
import { language, locale } from './language.ts'
import { languageFile } from './languages.ts'

/**
 * A text in the language of its reader, from an ICU message in English such as `{count, plural, one {# call} other
 * {# calls}}`. The message stands where it is said, so that a test finds all of them and looks for each in every language.
 */
export const say = (message: string, values: Readonly<Record<string, string | number>> = {}): string =>
  partsOf(message, values).map(String).join('')

/** The same in its parts, where values are more than text. */
export const partsOf = <Value>(message: string, values: Readonly<Record<string, Value>>): readonly (string | Value)[] =>
  formatOf(languageFile(language()).texts[message] ?? message)
    .formatToParts<Value>(values)
    .map(({ value }) => value)

const formats = new Map<string, IntlMessageFormat>()

/** Made once: the texts of all languages are as many as they are. */
export function formatOf(text: string): IntlMessageFormat {
  const key = `${locale()} ${text}`
  const format = formats.get(key) ?? new IntlMessageFormat(text, locale(), undefined, { ignoreTag: true })
  formats.set(key, format)
  return format
}
