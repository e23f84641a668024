import { hash } from 'node:crypto'

/** A file beside the pages. */
export type Asset = { readonly path: string; readonly type: string; readonly text: string }

export const script = (path: string, text: string): Asset => ({ path, type: 'text/javascript; charset=utf-8', text })
export const stylesheet = (path: string, text: string): Asset => ({ path, type: 'text/css; charset=utf-8', text })

/** Its address changes with its text, so browsers may cache it for good. */
export const addressOf = ({ path, text }: Asset): string => `${path}?v=${hash('sha256', text).slice(0, 12)}`
