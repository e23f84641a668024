import { namesOf } from '../narrow.ts'
import * as ALL from './all.ts'
import type { LanguageFile } from './language-file.ts'

/** A language that pages and mails are written in, by the identifier of the API's languages. */
export type Language = keyof typeof ALL

const FILES: Readonly<Record<Language, LanguageFile>> = { ...ALL }

export const LANGUAGES: readonly Language[] = namesOf(FILES)

/** What the sources are written in, and so whatever a language does not say. */
export const ENGLISH: Language = 'en'

export const isLanguage = (name: string): name is Language => Object.hasOwn(FILES, name)

/** What a language says. */
export const languageFile = (language: Language): LanguageFile => FILES[language]
