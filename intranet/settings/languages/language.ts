import { dictionary, withDictionary } from '@campus/engine/base/languages/dictionary'
import { dictionaryOf, ENGLISH, isLanguage, type Language } from './languages.ts'

/** Returns the language of the page or mail that is being written. */
export function language(): Language {
  const { code } = dictionary()
  return isLanguage(code) ? code : ENGLISH
}

/** Writes something in the language of its reader. */
export const inLanguage = <T>(one: Language, write: () => T): T => withDictionary(dictionaryOf(one), write)
