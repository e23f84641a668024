import { existsSync } from 'node:fs'
import { commandName } from '../service.ts'

export const typedCommand = (words: string): string =>
  `${isCheckout() ? `npm run -s ${commandName()} --` : commandName()} ${words}`

/** The published package lacks the file that starts a checkout. */
const isCheckout = () => existsSync(new URL(`${commandName()}.js`, new URL('../../../build/', import.meta.url)))
