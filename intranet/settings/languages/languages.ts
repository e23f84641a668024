import { type Dictionary, ENGLISH_DICTIONARY } from '@campus/engine/base/languages/dictionary'
import { namesOf } from '@campus/engine/base/narrow'
import fr from './fr.json' with { type: 'json' }

/** Every language has all of these texts. */
type AllTexts = typeof fr.texts

declare module '@campus/engine/base/languages/dictionary' {
  interface Texts extends AllTexts {}
}

/** A language with its name in the language itself. */
type NamedDictionary = Dictionary & { readonly name: string }

/** A language is a file and its line here. The codes are those of the API's languages. */
const DICTIONARIES = {
  en: { name: 'English', ...ENGLISH_DICTIONARY },
  fr: { code: 'fr', ...fr },
} satisfies Readonly<Record<string, NamedDictionary>>

/** A language that pages and mails are written in, by the identifier of the API's languages. */
export type Language = keyof typeof DICTIONARIES

export const LANGUAGES: readonly Language[] = namesOf(DICTIONARIES)

/** Language of the texts in the sources. */
export const ENGLISH: Language = 'en'

export const isLanguage = (name: string): name is Language => Object.hasOwn(DICTIONARIES, name)

/** Returns the texts of a language, and its name. */
export const dictionaryOf = (language: Language): NamedDictionary => DICTIONARIES[language]
