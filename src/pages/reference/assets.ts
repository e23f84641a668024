import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const FOLDER = '/apidoc/assets/'
const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
const versionOf = (text: string) => hash('sha256', text).slice(0, 12)

type Asset = { readonly path: string; readonly type: string; readonly text: string }

const STYLESHEET: Asset = {
  path: `${FOLDER}reference.css`,
  type: 'text/css; charset=utf-8',
  text: read('reference.css'),
}

/** In the order in which they are needed: those that a module imports are before it. */
const MODULES: Asset[] = []
for (const name of ['small.js', 'asking.js', 'token.js', 'reference.js']) {
  // A browser keeps a script for good, so that what one imports is named by its version, too.
  const text = MODULES.reduce(
    (before, one) => before.replaceAll(`./${one.path.slice(FOLDER.length)}'`, `${urlOf(one)}'`),
    read(name),
  )
  MODULES.push({ path: FOLDER + name, type: 'text/javascript; charset=utf-8', text })
}

/** The files beside the pages. */
export const ASSETS: readonly Asset[] = [STYLESHEET, ...MODULES]

/** Its address changes with its text, so that browsers may keep it for good. */
function urlOf({ path, text }: Asset): string {
  return `${path}?v=${versionOf(text)}`
}

/** What the reference has beside the stylesheet of all pages. */
export const STYLESHEET_URL = urlOf(STYLESHEET)

/** The scripts, the one that begins last. */
export const SCRIPT_URLS = MODULES.map(urlOf)
