/** Runs a program of this package where the machine's Node is older than the service needs: on the one that comes with the package. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const OLDEST = 24

export const isTooOld = Number.parseInt(process.versions.node, 10) < OLDEST

/** Runs the file with this process' arguments, tells it every signal, and ends as it ends. */
export function runOnNewer(file) {
  const child = spawn(newerNode(), [file, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', ({ message }) => {
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    if (signal === null) return process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function newerNode() {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
  const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(program)) return program
  process.stderr.write(
    `Campus Intranet needs Node.js ${OLDEST}; this is ${process.versions.node}, and the one that comes with the package is not there, ` +
      `since npm was told to run no scripts of packages. Install Node.js ${OLDEST}, or install the package with --allow-scripts=node.\n`,
  )
  process.exit(1)
}
