import { readFileSync } from 'node:fs'
import { type Asset, addressOf, script, stylesheet } from '@campus/intranet/pages/asset'

const FOLDER = '/apidoc/assets/'
const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')

const STYLESHEET = stylesheet(`${FOLDER}reference.css`, read('reference.css'))

/** The scripts. Modules come after their imports. */
const MODULES: Asset[] = []
for (const name of ['small.js', 'asking.js', 'token.js', 'reference.js']) {
  // Browsers cache scripts forever, so imports must name a version.
  const text = MODULES.reduce(
    (before, one) => before.replaceAll(`./${one.path.slice(FOLDER.length)}'`, `${addressOf(one)}'`),
    read(name),
  )
  MODULES.push(script(FOLDER + name, text))
}

export const ASSETS: readonly Asset[] = [STYLESHEET, ...MODULES]

export const STYLESHEET_URL = addressOf(STYLESHEET)

/** Addresses of the scripts. The last one is the entry. */
export const SCRIPT_URLS = MODULES.map(addressOf)
