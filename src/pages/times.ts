import { type Html, html } from './html.ts'

/** A time as `2026-03-02 10:00 UTC`. */
export const moment = (time: Date): Html =>
  html`<time datetime="${time.toISOString()}">${time.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`
