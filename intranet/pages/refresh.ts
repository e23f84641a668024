import { readFileSync } from 'node:fs'
import { addressOf, script } from './asset.ts'

/** Reloads the parts of a page with `data-refresh`, by a script. */
export const REFRESH_ASSET = script(
  '/assets/refresh.js',
  readFileSync(new URL('./assets/refresh.js', import.meta.url), 'utf8'),
)
export const REFRESH_SCRIPT = addressOf(REFRESH_ASSET)
