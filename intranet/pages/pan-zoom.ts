import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addressOf, script } from './asset.ts'

const LIBRARY = script(
  '/assets/panzoom.js',
  readFileSync(fileURLToPath(import.meta.resolve('@panzoom/panzoom/dist/panzoom.es.js')), 'utf8'),
)
const PAN_ZOOM = script(
  '/assets/pan-zoom.js',
  readFileSync(new URL('./assets/pan-zoom.js', import.meta.url), 'utf8').replace(
    '@panzoom/panzoom',
    addressOf(LIBRARY),
  ),
)

/** Moves and enlarges a drawing by hand, wheel and keys. */
export const PAN_ZOOM_ASSETS = [LIBRARY, PAN_ZOOM]
export const PAN_ZOOM_SCRIPT = addressOf(PAN_ZOOM)
