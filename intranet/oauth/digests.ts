import { hash } from 'node:crypto'

/** SHA-256 of a token or secret: the only form in which one is stored or compared (spec: authentication 3). */
export const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')

/** The same as text, for keys of caches. */
export const digestTextOf = (text: string): string => hash('sha256', text, 'base64')
