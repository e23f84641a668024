import { IntlMessageFormat } from 'intl-messageformat'
import type { Language } from '../languages.ts'
import { type Html, html } from './html.ts'
import { language } from './language.ts'
import type { Catalogue } from './languages/catalogue.ts'
import { FRENCH } from './languages/fr.ts'

const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en: {}, fr: FRENCH }

type Values = Readonly<Record<string, string | number>>

/**
 * A text of a page in its reader's language, from an ICU message in English such as `{count, plural, one {# call} other
 * {# calls}}`. The message stands where it is said, so that a test finds all of them and looks for each in every language.
 */
export const say = (message: string, values: Values = {}): string =>
  formatOf(message)
    .formatToParts(values)
    .map(({ value }) => String(value))
    .join('')

/** The same where some of the values are HTML. */
export const sayWith = (message: string, values: Readonly<Record<string, string | number | Html>>): Html =>
  html`${formatOf(message)
    .formatToParts(values)
    .map(({ value }) => value)}`

const formats = new Map<string, IntlMessageFormat>()

function formatOf(message: string): IntlMessageFormat {
  const said = CATALOGUES[language()][message] ?? message
  const key = `${language()} ${said}`
  const format = formats.get(key) ?? new IntlMessageFormat(said, language(), undefined, { ignoreTag: true })
  formats.set(key, format)
  return format
}
