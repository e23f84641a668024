import { readFileSync } from 'node:fs'
import { addressOf, stylesheet } from './asset.ts'

/** In cascade order: later parts override earlier ones. */
const PARTS = ['tokens', 'elements', 'shell', 'parts', 'charts', 'school'] as const

export const STYLESHEET = stylesheet(
  '/assets/style.css',
  PARTS.map((name) => readFileSync(new URL(`./assets/${name}.css`, import.meta.url), 'utf8')).join('\n'),
)
export const STYLESHEET_URL = addressOf(STYLESHEET)
