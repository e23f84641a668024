import { readFileSync } from 'node:fs'
import { addressOf, script } from './asset.ts'

/** Looks again at what a page marks with `data-refresh`, for whoever has scripts. */
export const REFRESH_ASSET = script(
  '/assets/refresh.js',
  readFileSync(new URL('./assets/refresh.js', import.meta.url), 'utf8'),
)
export const REFRESH_SCRIPT = addressOf(REFRESH_ASSET)
