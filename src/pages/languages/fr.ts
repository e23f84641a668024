import type { Catalogue } from './catalogue.ts'

/** Texts of pages in French, by the English ones. */
export const FRENCH: Catalogue = {
  'Skip to the content': 'Aller au contenu',
}
