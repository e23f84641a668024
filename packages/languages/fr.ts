import type { Dictionary, MessageKey } from '@campus/engine/base/languages/dictionary'
import fr from './fr.json' with { type: 'json' }

type FrenchTexts = typeof fr.texts

declare module '@campus/engine/base/languages/dictionary' {
  interface Texts extends FrenchTexts {}
}

/** The compiler requires every text that any language has. */
type CompleteDictionary = Dictionary & { readonly texts: Readonly<Record<MessageKey, string>> }

export const FRENCH: CompleteDictionary = { code: 'fr', ...fr }
