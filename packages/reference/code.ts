import { type Html, html } from '@campus/intranet/pages/html'
import { highlighted } from './highlight.ts'

/** Renders highlighted code. The script adds the button that copies it. */
export const code = (text: string, language: string | undefined, label: string): Html =>
  html`<div class="snippet"><pre tabindex="0" aria-label="${label}"><code>${highlighted(text, language)}</code></pre></div>`
