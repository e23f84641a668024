import { readFileSync } from 'node:fs'
import { addressOf, script } from './asset.ts'

/** Sends the form with `data-sends` when its page opens. */
export const SEND_FORM_ASSET = script(
  '/assets/send-form.js',
  readFileSync(new URL('./assets/send-form.js', import.meta.url), 'utf8'),
)
export const SEND_FORM_SCRIPT_URL = addressOf(SEND_FORM_ASSET)
