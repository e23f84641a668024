import { spawn } from 'node:child_process'
import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { canRun } from './can-run.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'

/** An authority calls back at this port, whatever the request says. */
export const CALLBACK_PORT = 80

/** Why tests that need a certificate authority are skipped; false where there is one. */
export function authoritySkip(): string | false {
  if (!canRun('caddy', 'version')) return "SKIPPED: no caddy (install Debian's package caddy)"
  return isFree(CALLBACK_PORT) ? false : `SKIPPED: port ${CALLBACK_PORT} of this machine cannot be opened`
}

const isFree = (port: number) =>
  canRun(process.execPath, '-e', `net.createServer().listen(${port}, '127.0.0.1', () => process.exit())`)

/** A certificate authority of a test's own, which speaks ACME: that of Caddy. */
export async function certificateAuthority() {
  const [folder, port, plain] = [await temporaryFolder(), await freePort(), await freePort()]
  const file = join(folder.path, 'Caddyfile')
  await writeFile(
    file,
    `{
  admin off
  skip_install_trust
  storage file_system ${folder.path}
  http_port ${plain}
  https_port ${port}
}
https://localhost:${port} {
  tls internal
  acme_server
}
`,
  )
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path }
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const root = join(folder.path, 'pki/authorities/local/root.crt')
  const leaf = join(folder.path, 'certificates/local/localhost/localhost.crt')
  while (child.exitCode === null && !((await isThere(root)) && (await isThere(leaf)))) await turn()
  return {
    directory: `https://localhost:${port}/acme/local/directory`,
    /** The file of its own certificate. */
    root,
    async close() {
      child.kill('SIGKILL')
      await ended
      await folder.remove()
    },
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
