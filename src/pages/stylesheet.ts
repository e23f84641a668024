import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** In the order in which they are read: what comes later says more of what came before. */
const PARTS = ['tokens', 'elements', 'shell', 'parts', 'charts', 'school'] as const

/** The one stylesheet of all pages: it fits a phone, and is light or dark as the reader's system is. */
export const STYLESHEET = PARTS.map((name) =>
  readFileSync(new URL(`./assets/${name}.css`, import.meta.url), 'utf8'),
).join('\n')

/** Its address changes with its text, so that browsers may keep it for good. */
export const STYLESHEET_PATH = '/assets/style.css'
export const STYLESHEET_URL = `${STYLESHEET_PATH}?v=${hash('sha256', STYLESHEET).slice(0, 12)}`
