import { type Html, html } from './html.ts'

/** How it goes with something; the words say it, too. */
export type Tone = 'good' | 'waiting' | 'bad' | 'note' | 'quiet'

/** A state in a word or two, such as *closed*. */
export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`
