import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canRun } from '@campus/test/support/can-run'
import { trusting } from '@campus/test/support/client'
import { fetch } from 'undici'
import { serve } from './processes.ts'

const MODULES = '/usr/lib/apache2/modules'
const LOADED = [
  ...['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'socache_shmcb', 'ssl', 'proxy', 'proxy_http'],
  'auth_openidc',
]

/** Why tests with Apache are skipped; false where they are not. */
export function apacheSkip(): string | false {
  const hasAll = canRun('test', '-e', `${MODULES}/mod_auth_openidc.so`) && canRun('/usr/sbin/apache2', '-v')
  return hasAll ? false : "SKIPPED: no Apache (install Debian's packages apache2 and libapache2-mod-auth-openidc)"
}

type Options = {
  readonly port: number
  readonly issuer: string
  /** Files of the certificate that the issuer has, too. */
  readonly tls: { readonly cert: string; readonly key: string }
  readonly client: { readonly uid: string; readonly secret: string }
}

/** A folder that other users of the machine may read, since Apache leaves the rights of its start. */
async function readableFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'campus-site-'))
  await chmod(path, 0o755)
  return path
}

/** An Apache before a page that shows the headers it got, which only people of the service see. */
export async function apache({ port, issuer, tls, client }: Options) {
  const folder = await readableFolder()
  const ca = await readFile(tls.cert, 'utf8')
  const page = createServer((request, response) => response.end(JSON.stringify(request.headers)))
  page.listen(0, '127.0.0.1')
  await once(page, 'listening')
  const backend = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  const origin = `https://localhost:${port}`
  const file = join(folder, 'apache.conf')
  // It cannot open the sockets that a child process has for its output.
  const log = join(folder, 'error.log')
  const bundle = join(folder, 'ca.pem')
  await writeFile(bundle, ca)
  await chmod(bundle, 0o644)
  const example = await readFile('ops/relying-parties/apache.conf', 'utf8')
  await writeFile(
    file,
    [
      ...LOADED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      ...[`ServerRoot ${folder}`, `PidFile ${folder}/apache.pid`, `DefaultRuntimeDir ${folder}`],
      ...['User nobody', 'Group nogroup', `ErrorLog ${log}`, 'StartServers 1', 'ServerLimit 1', 'MaxRequestWorkers 25'],
      ...[`Listen 127.0.0.1:${port}`, 'ServerName localhost', 'Mutex posixsem', `OIDCCABundlePath ${bundle}`],
      ...['SSLEngine on', `SSLCertificateFile ${tls.cert}`],
      `SSLCertificateKeyFile ${tls.key}`,
      example
        .replaceAll('https://campus.example.org', issuer)
        .replaceAll('https://wiki.example.org', origin)
        .replaceAll('http://127.0.0.1:8080', backend)
        .replace('<id>', client.uid)
        .replace('<secret>', client.secret)
        .replace('<a long random text>', 'x'.repeat(48)),
    ].join('\n'),
  )
  const agent = trusting(ca)
  const answers = async () => (await fetch(`${origin}/`, { dispatcher: agent })).status > 0
  const serving = await serve('/usr/sbin/apache2', ['-f', file, '-D', 'FOREGROUND'], { answers })
  return {
    log: () => readFile(log, 'utf8'),
    origin,
    agent,
    async stop() {
      await serving.stop()
      await agent.close()
      page.closeAllConnections()
      page.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
