import { type Html, html } from '@campus/intranet/pages/html'
import { highlighted } from './highlight.ts'

/** A text to copy, in its colours. The script adds the button. */
export const code = (text: string, language: string | undefined, label: string): Html =>
  html`<div class="snippet"><pre tabindex="0" aria-label="${label}"><code>${highlighted(text, language)}</code></pre></div>`
