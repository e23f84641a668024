import type { MessageKey } from '@campus/engine/base/languages/dictionary'
import { partsOf } from '@campus/engine/base/languages/say'
import { type Html, html } from './html.ts'

export { say } from '@campus/engine/base/languages/say'

/** A text as `say` says it where some of the values are HTML. */
export const sayWith = (key: MessageKey, values: Readonly<Record<string, string | number | Html>>): Html =>
  html`${partsOf(key, values)}`
