import { globSync } from 'node:fs'

/** Folders with the sources of the service. */
export const SOURCE_FOLDERS = ['engine', 'intranet', 'packages', 'service'] as const

/** Paths of the service's sources, relative to the repository, without tests and declaration files. */
export const sourceFiles = (): readonly string[] =>
  globSync(`{${SOURCE_FOLDERS.join()}}/**/*.ts`).filter((path) => !/\/test\/|\.d\.ts$/.test(path))
