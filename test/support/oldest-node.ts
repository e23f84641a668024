import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const MAJOR = engines.node.replace('>=', '')

/** The program of the oldest Node that people may have, if it is on the PATH; npm puts that of the packages before the machine's own. */
export const OLDEST_NODE = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => String(spawnSync(node, ['--version']).stdout).startsWith(`v${MAJOR}.`))

/** Why a test that needs it is skipped. */
export const NO_OLDEST_NODE = OLDEST_NODE ? false : `SKIPPED: no Node ${MAJOR} on this machine's PATH`
