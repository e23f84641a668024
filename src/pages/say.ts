import type { MessageKey } from '../base/languages/dictionary.ts'
import { partsOf } from '../base/languages/say.ts'
import { type Html, html } from './html.ts'

export { say } from '../base/languages/say.ts'

/** A text as `say` says it where some of the values are HTML. */
export const sayWith = (key: MessageKey, values: Readonly<Record<string, string | number | Html>>): Html =>
  html`${partsOf(key, values)}`
