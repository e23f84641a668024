#!/usr/bin/env node
/**
 * The `campus` command of an installed package. Where the machine's Node is older than the service needs, it runs on the one that
 * comes with the package, and is told every signal.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST = 24

if (Number.parseInt(process.versions.node, 10) >= OLDEST) await import('../dist/main.js')
else runOn(ownNode())

function ownNode() {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
  const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(program)) return program
  process.stderr.write(
    `Campus Intranet needs Node.js ${OLDEST}; this is ${process.versions.node}, and the one that comes with the package is not there, ` +
      `since npm was told to run no scripts of packages. Install Node.js ${OLDEST}, or install the package with --allow-scripts=node.\n`,
  )
  process.exit(1)
}

function runOn(program) {
  const child = spawn(program, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
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
