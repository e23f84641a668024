import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '../base/config.ts'

/** Refuses what is no file that is there, before a database is opened for it. Throws ConfigError. */
export async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw new ConfigError(`${file} is a folder, not a file.`)
  if (!found?.isFile()) throw new ConfigError(`There is no file ${file}.`)
}

/** Refuses a file that cannot be made, before all of it is written and cannot have its name. Throws ConfigError. */
export async function requireWritable(file: string): Promise<void> {
  const [found, folder] = await Promise.all([file, dirname(file)].map((path) => stat(path).catch(() => undefined)))
  if (found?.isDirectory()) throw new ConfigError(`${file} is a folder: name a file in it.`)
  if (!folder?.isDirectory()) throw new ConfigError(`There is no folder ${dirname(file)}.`)
}
