import { spawnSync } from 'node:child_process'

/** Whether this machine has a program that ends well when it is called so. */
export const canRun = (program: string, ...words: readonly string[]): boolean => spawnSync(program, words).status === 0
