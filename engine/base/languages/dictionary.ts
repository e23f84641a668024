import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Texts that people read, by their English: ICU's MessageFormat, `{name}` for a value. A service declares its texts by adding to
 * this interface; without any, the compiler takes every text.
 */
// biome-ignore lint/suspicious/noEmptyInterface: services add to it, which a type does not allow
export interface Texts {}

/** The English of a text. */
export type MessageKey = [keyof Texts] extends [never] ? string : keyof Texts & string

/** The texts of a language. */
export type Dictionary = {
  /** Language tag (BCP 47). */
  readonly code: string
  /** Language tag for formats of dates and numbers. */
  readonly locale: string
  /** Texts by their English. A text that is not here is said in English. */
  readonly texts: Readonly<Partial<Record<MessageKey, string>>>
}

/** The language of the texts in the sources. */
export const ENGLISH_DICTIONARY: Dictionary = { code: 'en', locale: 'en-GB', texts: {} }

const asked = new AsyncLocalStorage<Dictionary>()

/** Returns the dictionary of the page or mail that is being written. */
export const dictionary = (): Dictionary => asked.getStore() ?? ENGLISH_DICTIONARY

/** Returns the language tag for dates and numbers of the page or mail that is being written. */
export const locale = (): string => dictionary().locale

/** Writes something in the language of a dictionary. */
export const withDictionary = <T>(one: Dictionary, write: () => T): T => asked.run(one, write)
