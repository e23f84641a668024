import { readFileSync } from 'node:fs'
import { addressOf, script } from './asset.ts'

/** Shows a page without the browser around it, by a script. */
export const FULL_SCREEN_ASSET = script(
  '/assets/full-screen.js',
  readFileSync(new URL('./assets/full-screen.js', import.meta.url), 'utf8'),
)
export const FULL_SCREEN_SCRIPT = addressOf(FULL_SCREEN_ASSET)
