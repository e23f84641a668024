/** Texts of a language by those in English: messages of ICU's MessageFormat, the same values in both. */
type Texts = Readonly<Record<string, string>>

/** All that pages and mails say in a language: one file for each. */
export type LanguageFile = {
  /** As its own speakers call it. */
  readonly name: string
  /** Whose dates and numbers: a tag of BCP 47. */
  readonly locale: string
  /** By the messages that `say` is given. */
  readonly texts: Texts
  /** By what the rest of the service says in English, such as refusals: `{name}` stands for a value. */
  readonly messages: Texts
}
