import type { LanguageFile } from './language-file.ts'

/** What the sources say themselves. */
export const ENGLISH: LanguageFile = { name: 'English', locale: 'en-GB', texts: {}, messages: {} }
