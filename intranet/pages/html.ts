import { raw as asIs, html as template } from 'hono/html'

/** Finished HTML. Only the template tag makes it, and that escapes whatever else it is given. */
export type Html = ReturnType<typeof template>

/** The template tag: values are escaped, lists joined; `undefined`, `null`, `true` and `false` write nothing. */
export const html = template

/** A text that is HTML already, made here and without any input. */
export const raw = (text: string): Html => asIs(text)
