import type { MessageKey } from '@campus/engine/base/languages/dictionary'
import { partsOf } from '@campus/engine/base/languages/say'
import { raw as asIs, html as template } from 'hono/html'

export { say } from '@campus/engine/base/languages/say'

export type Html = ReturnType<typeof template>

/** Escapes the values of a template and joins lists. `undefined`, `null`, `true` and `false` write nothing. */
export const html = template

/** Marks a text as HTML. The text must not contain any input. */
export const raw = (text: string): Html => asIs(text)

export const sayWith = (key: MessageKey, values: Readonly<Record<string, string | number | Html>>): Html =>
  html`${partsOf(key, values)}`
