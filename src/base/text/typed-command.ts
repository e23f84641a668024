import { existsSync } from 'node:fs'

/** A command with these words as people type it here: of an installed package by its name, in a checkout by npm. */
export const typedCommand = (words: string): string => `${isCheckout() ? 'npm run -s campus --' : 'campus'} ${words}`

/** What starts a checkout is not among the files of the package. */
const isCheckout = () => existsSync(new URL('../../../build/campus.js', import.meta.url))
