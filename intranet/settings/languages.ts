import { type Dictionary, ENGLISH_DICTIONARY, withDictionary } from '@campus/engine/base/languages/dictionary'

/** A language of pages and mails. */
export type Language = {
  /** Identifier of the language in the API. */
  readonly code: string
  /** Name of the language in the language itself. */
  readonly name: string
  /** Loads the dictionary at the first call. */
  readonly load: () => Promise<Dictionary>
}

/** The languages that a service has. */
export type Languages = {
  /** Languages of the school, the default first. */
  readonly ofSchool: readonly Language[]
  /** Every language, English first. */
  readonly all: readonly Language[]
}

/** Language of the texts in the sources. */
export const ENGLISH: Language = {
  code: ENGLISH_DICTIONARY.code,
  name: 'English',
  load: async () => ENGLISH_DICTIONARY,
}

/** Writes something in a language. */
export const inLanguage = async <T>(language: Language, write: () => T | Promise<T>): Promise<T> =>
  withDictionary(await language.load(), write)
