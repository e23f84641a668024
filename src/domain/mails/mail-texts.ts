import type { MailKind } from '../../mail/mail-kinds.ts'

/** What a text may name. */
export type Words = {
  /** The person's first name. */
  readonly name: string
  /** The service's address. */
  readonly service: string
} & Readonly<Record<string, string>>

export type MailText = { readonly subject: string; readonly text: string }

/** The mails of one language. */
export type MailTexts = { readonly [Kind in MailKind]: (words: Words) => MailText }
