import { AsyncLocalStorage } from 'node:async_hooks'

/** Texts by their English ICU message. A service adds its texts by declaration merging. Without any, every string is a key. */
// biome-ignore lint/suspicious/noEmptyInterface: services add to it, which a type does not allow
export interface Texts {}

export type MessageKey = [keyof Texts] extends [never] ? string : keyof Texts & string

export type Dictionary = {
  readonly code: string
  readonly locale: string
  /** Translations by English text. A missing text is shown in English. */
  readonly texts: Readonly<Partial<Record<MessageKey, string>>>
}

export const ENGLISH_DICTIONARY: Dictionary = { code: 'en', locale: 'en-GB', texts: {} }

const asked = new AsyncLocalStorage<Dictionary>()

export const dictionary = (): Dictionary => asked.getStore() ?? ENGLISH_DICTIONARY

export const locale = (): string => dictionary().locale

export const withDictionary = <T>(one: Dictionary, write: () => T): T => asked.run(one, write)
