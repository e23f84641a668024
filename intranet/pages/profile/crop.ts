import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addressOf, script, stylesheet } from '../asset.ts'

const packaged = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(`cropperjs/dist/${name}`)), 'utf8')

const LIBRARY = script('/assets/cropper.js', packaged('cropper.esm.js'))
const STYLE = stylesheet('/assets/cropper.css', packaged('cropper.min.css').replace(/url\([^)]*\)/g, 'none'))
const CROP = script(
  '/assets/crop.js',
  readFileSync(new URL('../assets/crop.js', import.meta.url), 'utf8').replace('cropperjs', addressOf(LIBRARY)),
)

/** Shows a chosen picture, and lets people choose the square of it that counts. */
export const CROP_ASSETS = [LIBRARY, STYLE, CROP]
export const CROP_SCRIPT = addressOf(CROP)
export const CROP_STYLESHEET = addressOf(STYLE)
