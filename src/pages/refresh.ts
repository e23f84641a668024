import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Looks again at what a page marks with `data-refresh`, for whoever has scripts. */
const TEXT = readFileSync(new URL('./assets/refresh.js', import.meta.url), 'utf8')

export const REFRESH_ASSET = { path: '/assets/refresh.js', type: 'text/javascript; charset=utf-8', text: TEXT }

/** Its address changes with its text, so that browsers may keep it for good. */
export const REFRESH_SCRIPT = `${REFRESH_ASSET.path}?v=${hash('sha256', TEXT).slice(0, 12)}`
