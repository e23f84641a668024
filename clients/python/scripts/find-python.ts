import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { PROJECT_FILE } from './files.ts'

/** Debian's packages are those of its own Python, whichever is first on the PATH. */
const PYTHONS = ['python3', '/usr/bin/python3']

const [, required] = /^requires-python = ">=(3\.\d+)"$/m.exec(readFileSync(PROJECT_FILE, 'utf8')) ?? []
if (required === undefined) throw new Error('pyproject.toml requires no version of Python.')

/** The oldest version that the Python client runs with, as `3.11`. */
export const OLDEST_PYTHON = required

/** The command of a Python that is new enough for the client and has these modules; undefined where there is none. */
export function findPython(modules: readonly string[]): string | undefined {
  const program = `import sys, ${modules.join(', ')}; sys.exit(sys.version_info < (${OLDEST_PYTHON.replace('.', ', ')}))`
  // Without the current folder, in which modules might be found that are none.
  return PYTHONS.find((python) => spawnSync(python, ['-I', '-W', 'ignore', '-c', program]).status === 0)
}
