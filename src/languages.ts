/** Languages that pages and mails are written in, by the identifiers of the API's languages. */
export const LANGUAGES = ['en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

export const isLanguage = (name: string): name is Language => LANGUAGES.some((language) => language === name)
