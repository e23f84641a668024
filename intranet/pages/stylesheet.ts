import { readFileSync } from 'node:fs'
import { addressOf, stylesheet } from './asset.ts'

/** In the order in which they are read: what comes later says more of what came before. */
const PARTS = ['tokens', 'elements', 'shell', 'parts', 'charts', 'school'] as const

/** The one stylesheet of all pages: it fits a phone, and is light or dark as the reader's system is. */
export const STYLESHEET = stylesheet(
  '/assets/style.css',
  PARTS.map((name) => readFileSync(new URL(`./assets/${name}.css`, import.meta.url), 'utf8')).join('\n'),
)
export const STYLESHEET_URL = addressOf(STYLESHEET)
