import { hash } from 'node:crypto'

/** SHA-256 of a token or secret: the only form in which one is stored or compared (decisions §8). */
export const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')
