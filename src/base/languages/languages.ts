import { namesOf } from '../narrow.ts'
import fr from './fr.json' with { type: 'json' }

/** A text that people read, by its English: ICU's MessageFormat, `{name}` for a value. Every language has all of them. */
export type MessageKey = keyof typeof fr.texts

export const isMessageKey = (value: unknown): value is MessageKey =>
  typeof value === 'string' && Object.hasOwn(fr.texts, value)

type LanguageFile = {
  /** Name of the language in the language itself. */
  readonly name: string
  /** BCP 47 tag for formats of dates and numbers. */
  readonly locale: string
  readonly texts: Readonly<Partial<Record<MessageKey, string>>>
}

/** A language is a file and its line here. The names are those of the API's languages. */
const FILES = {
  en: { name: 'English', locale: 'en-GB', texts: {} },
  fr,
} satisfies Readonly<Record<string, LanguageFile>>

/** A language that pages and mails are written in, by the identifier of the API's languages. */
export type Language = keyof typeof FILES

export const LANGUAGES: readonly Language[] = namesOf(FILES)

/** Language of the texts in the sources. */
export const ENGLISH: Language = 'en'

export const isLanguage = (name: string): name is Language => Object.hasOwn(FILES, name)

/** The texts of a language. */
export const languageFile = (language: Language): LanguageFile => FILES[language]
