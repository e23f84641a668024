import { once } from '@campus/engine/base/once'
import type { Part } from '@campus/intranet/server/part'

/** Languages of pages and mails beside English. A language is a file of texts, its module and its line here. */
export const part: Part = {
  name: 'languages',
  languages: [{ code: 'fr', name: 'Français', load: once(async () => (await import('./fr.ts')).FRENCH) }],
}
