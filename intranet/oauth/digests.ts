import { hash } from 'node:crypto'

/** SHA-256 of a token or secret, the only form that is stored or compared (spec: authentication 3). */
export const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')

/** The digest as text, for keys of caches. */
export const digestTextOf = (text: string): string => hash('sha256', text, 'base64')
