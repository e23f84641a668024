import { readFileSync } from 'node:fs'
import { type Asset, addressOf, script, stylesheet } from '@campus/intranet/pages/asset'

const FOLDER = '/apidoc/assets/'
const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')

const STYLESHEET = stylesheet(`${FOLDER}reference.css`, read('reference.css'))

/** In the order in which they are needed: those that a module imports are before it. */
const MODULES: Asset[] = []
for (const name of ['small.js', 'asking.js', 'token.js', 'reference.js']) {
  // Browsers cache a script for good, so imports are named by their version, too.
  const text = MODULES.reduce(
    (before, one) => before.replaceAll(`./${one.path.slice(FOLDER.length)}'`, `${addressOf(one)}'`),
    read(name),
  )
  MODULES.push(script(FOLDER + name, text))
}

/** The files beside the pages. */
export const ASSETS: readonly Asset[] = [STYLESHEET, ...MODULES]

/** What the reference has beside the stylesheet of all pages. */
export const STYLESHEET_URL = addressOf(STYLESHEET)

/** The scripts, the one that begins last. */
export const SCRIPT_URLS = MODULES.map(addressOf)
