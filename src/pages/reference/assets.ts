import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')

/** Its address changes with its text, so that browsers may keep it for good. */
const versioned = (path: string, text: string) => `${path}?v=${hash('sha256', text).slice(0, 12)}`

const STYLESHEET = read('reference.css')
const SCRIPT = read('reference.js')

/** The files beside the pages: path, media type, text. */
export const ASSETS = [
  { path: '/apidoc/assets/reference.css', type: 'text/css; charset=utf-8', text: STYLESHEET },
  { path: '/apidoc/assets/reference.js', type: 'text/javascript; charset=utf-8', text: SCRIPT },
] as const

/** What the reference has beside the stylesheet of all pages. */
export const STYLESHEET_URL = versioned(ASSETS[0].path, STYLESHEET)
export const SCRIPT_URL = versioned(ASSETS[1].path, SCRIPT)
