import { hash } from 'node:crypto'

export type Asset = { readonly path: string; readonly type: string; readonly text: string }

export const script = (path: string, text: string): Asset => ({ path, type: 'text/javascript; charset=utf-8', text })
export const stylesheet = (path: string, text: string): Asset => ({ path, type: 'text/css; charset=utf-8', text })

/** Returns an address that changes with the text, so that browsers may cache it forever. */
export const addressOf = ({ path, text }: Asset): string => `${path}?v=${hash('sha256', text).slice(0, 12)}`
