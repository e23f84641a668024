import { readFileSync } from 'node:fs'
import { addressOf, script } from './asset.ts'

/** Suggests records for fields that name one, by a script. */
export const SUGGESTIONS_ASSET = script(
  '/assets/suggestions.js',
  readFileSync(new URL('./assets/suggestions.js', import.meta.url), 'utf8'),
)
export const SUGGESTIONS_SCRIPT = addressOf(SUGGESTIONS_ASSET)
