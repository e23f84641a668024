import { AsyncLocalStorage } from 'node:async_hooks'
import { ENGLISH, type Language, languageFile } from './languages.ts'

const asked = new AsyncLocalStorage<Language>()

/** The language of the page or mail that is being written. */
export const language = (): Language => asked.getStore() ?? ENGLISH

/** Whose dates and numbers it has: a tag of BCP 47. */
export const locale = (): string => languageFile(language()).locale

/** Writes something in the language of its reader. */
export const inLanguage = <T>(one: Language, write: () => T): T => asked.run(one, write)
