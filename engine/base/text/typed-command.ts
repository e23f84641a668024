import { existsSync } from 'node:fs'
import { commandName } from '../service.ts'

/** A command with these words as people type it here: of an installed package by its name, in a checkout by npm. */
export const typedCommand = (words: string): string =>
  `${isCheckout() ? `npm run -s ${commandName()} --` : commandName()} ${words}`

/** Reports whether the service runs from a checkout. The published package lacks the file that starts one. */
const isCheckout = () => existsSync(new URL(`${commandName()}.js`, new URL('../../../build/', import.meta.url)))
