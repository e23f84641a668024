import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Asset, addressOf, script, stylesheet } from './asset.ts'

/** Reads a script of the folder `assets`. Replaces the name of an imported package by the address of that library. */
function ownScript(name: string, packageName = '', library?: Asset): Asset {
  const text = readFileSync(new URL(`./assets/${name}.js`, import.meta.url), 'utf8')
  return script(`/assets/${name}.js`, library ? text.replace(packageName, addressOf(library)) : text)
}

const readAt = (url: string) => readFileSync(fileURLToPath(url), 'utf8')

const PANZOOM = script('/assets/panzoom.js', readAt(import.meta.resolve('@panzoom/panzoom/dist/panzoom.es.js')))
const CROPPER = script('/assets/cropper.js', readAt(import.meta.resolve('cropperjs/dist/cropper.esm.js')))
const CROPPER_STYLESHEET = stylesheet(
  '/assets/cropper.css',
  readAt(import.meta.resolve('cropperjs/dist/cropper.min.css')).replace(/url\([^)]*\)/g, 'none'),
)

const WEBAUTHN_NAMES =
  'browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration'
const webauthnBundle = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'))
// The package has only a UMD bundle in one file. The bundle defines a global object.
const WEBAUTHN = script(
  '/assets/simplewebauthn.js',
  `${readFileSync(webauthnBundle, 'utf8')}\nexport const { ${WEBAUTHN_NAMES} } = globalThis.SimpleWebAuthnBrowser\n`,
)

const SCRIPTS = {
  agenda: ownScript('agenda'),
  copy: ownScript('copy'),
  crop: ownScript('crop', 'cropperjs', CROPPER),
  'full-screen': ownScript('full-screen'),
  palette: ownScript('palette'),
  'pan-zoom': ownScript('pan-zoom', '@panzoom/panzoom', PANZOOM),
  passkeys: ownScript('passkeys', '@simplewebauthn/browser', WEBAUTHN),
  refresh: ownScript('refresh'),
  'send-form': ownScript('send-form'),
  suggestions: ownScript('suggestions'),
  'time-zone': ownScript('time-zone'),
}

export type ScriptName = keyof typeof SCRIPTS

export const scriptUrl = (name: ScriptName): string => addressOf(SCRIPTS[name])
export const CROPPER_STYLESHEET_URL = addressOf(CROPPER_STYLESHEET)

/** The scripts with the libraries that they import. */
export const SCRIPT_ASSETS = [...Object.values(SCRIPTS), CROPPER, CROPPER_STYLESHEET, PANZOOM, WEBAUTHN]
