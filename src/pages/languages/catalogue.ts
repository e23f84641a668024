/** Texts of a language by those in English: messages of ICU's MessageFormat, as `say` is given them. */
export type Catalogue = Readonly<Record<string, string>>
