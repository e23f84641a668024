/** The proxies of `ops/proxies`, as they are but for names and ports, before a service of two processes on a Unix socket. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { loadTls } from '@campus/engine/http/tls'
import { keepCalling, onNewConnections, onOneConnection, onOneSession } from '../faults/callers.ts'
import { type Campus, emptyCampus, type ServerProcess } from '../faults/server-process.ts'
import { canRun } from '../support/can-run.ts'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { attachmentForm, fileOf } from '../support/uploads.ts'

const run = promisify(execFile)
const folder = await temporaryFolder()
const tls = await loadTls({ data: folder.path, tls: undefined })
const [cert, key, both] = ['cert.pem', 'key.pem', 'campus.pem'].map((name) => join(folder.path, name)) as [
  string,
  string,
  string,
]
await writeFile(cert, tls.cert)
await writeFile(key, tls.key)
await writeFile(both, tls.cert + tls.key)
const socket = join(folder.path, 'http.sock')

type Proxy = {
  readonly file: string
  readonly asks: readonly string[]
  adapt(text: string, port: number): string
  command(path: string): string[]
}

const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    file: 'nginx.conf',
    asks: ['nginx', '-v'],
    adapt: (text, port) =>
      [
        `pid ${folder.path}/nginx.pid; error_log stderr; events {}`,
        'http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;',
        'uwsgi_temp_path uwsgi; scgi_temp_path scgi;',
        text
          .replace('listen 443', `listen 127.0.0.1:${port}`)
          .replace('/etc/ssl/campus/cert.pem', cert)
          .replace('/etc/ssl/campus/key.pem', key),
        '}',
      ].join('\n'),
    command: (path) => ['nginx', '-p', folder.path, '-c', path, '-g', 'daemon off; user root;'],
  },
  haproxy: {
    file: 'haproxy.cfg',
    asks: ['haproxy', '-v'],
    adapt: (text, port) =>
      text.replace('bind :443', `bind 127.0.0.1:${port}`).replace('/etc/ssl/campus/campus.pem', both),
    command: (path) => ['haproxy', '-db', '-f', path],
  },
  caddy: {
    file: 'Caddyfile',
    asks: ['caddy', 'version'],
    adapt: (text, port) =>
      `{\n admin off\n auto_https off\n}\n${text.replace(/^campus\.example\.org \{/m, `https://localhost:${port}, https://127.0.0.1:${port} {\n bind 127.0.0.1\n tls ${cert} ${key}`)}`,
    command: (path) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', path],
  },
}

const port = await freePort()
const called = { port, ca: tls.cert }
const url = `https://localhost:${port}`
let campus: Campus
let service: ServerProcess
before(async () => {
  const env = { CAMPUS_SOCKET: socket, CAMPUS_BASE_URL: url, CAMPUS_PROCESSES: '2' }
  const rates = { CAMPUS_TOKENS_PER_SECOND: '1', CAMPUS_TOKENS_BURST: '5' }
  campus = await emptyCampus({ database: 'shared', env: { ...env, ...rates } })
  service = await campus.start()
})
after(async () => {
  service?.child.kill('SIGTERM')
  await service?.outcome
  await campus?.remove()
  await folder.remove()
})

for (const [name, { file, asks, adapt, command }] of Object.entries(PROXIES)) {
  const [program = '', ...words] = asks
  const skip = canRun(program, ...words) ? false : `SKIPPED the example for ${name}: it is not installed`
  describe(`behind ${name}`, { skip }, () => {
    let proxy: ChildProcess
    let caller: Client
    const agent = trusting(tls.cert)

    before(async () => {
      const path = join(folder.path, file)
      const text = await readFile(`ops/proxies/${file}`, 'utf8')
      await writeFile(path, adapt(text, port).replace(/(unix[:@/])\/run\/campus\/http\.sock/, `$1${socket}`))
      const [started = '', ...rest] = command(path)
      let said = ''
      proxy = spawn(started, rest, {
        env: { ...process.env, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
      })
      for (const stream of [proxy.stdout, proxy.stderr]) stream?.on('data', (data) => (said += data))
      const health = onNewConnections(called, '/health')
      while ((await health()) !== 200) {
        assert.equal(proxy.exitCode, null, said)
        await wait(50)
      }
      const { json } = await clientOf({ url, agent }).post('/oauth/token', {
        grant_type: 'client_credentials',
        ...(await campus.credentials()),
        scope: 'public projects',
      })
      caller = clientOf({ url, agent }, json.access_token)
    })
    after(async () => {
      await agent.destroy()
      const ended = once(proxy, 'exit')
      proxy.kill('SIGTERM') // A killed nginx would leave its workers.
      await ended
    })

    it('answers over HTTP/2 and 1.1, with addresses of its own', async () => {
      assert.equal(await onOneSession(called, '/health')(), 200)
      assert.equal(await onOneConnection(called, '/health')(), 200)
      const list = await caller.get('/v2/languages?page=1&per_page=1&filter[name]=a%2Fb')
      assert.equal(list.status, 200)
      const metadata = await caller.get('/.well-known/oauth-authorization-server')
      assert.equal(metadata.json.issuer, url)
      assert.equal(metadata.headers.get('transfer-encoding'), null)
    })

    it('passes on the longest Link headers', async () => {
      for (const slug of [`first-${name}`, `second-${name}`]) {
        const made = await caller.post('/v2/projects', { project: { name: slug, slug, difficulty: 1 } })
        assert.equal(made.status, 201, made.text)
      }
      for (const length of [1000, 4000, 8000, 11_000]) {
        const list = await caller.get(`/v2/projects?per_page=1&x=${'x'.repeat(length)}`)
        assert.equal(list.status, 200, `${length}`)
        assert.match(list.headers.get('link') ?? '', /rel="next"/)
      }
    })

    it('passes files in and out whole', async () => {
      const project = await caller.post('/v2/projects', {
        project: { name: `Libft ${name}`, slug: `libft-${name}`, difficulty: 1 },
      })
      assert.equal(project.status, 201, project.text)
      const text = randomBytes(1_500_000).toString('hex')
      const form = attachmentForm(
        { kind: 'code' },
        { name: 'long.c', attachable_type: 'code', code: fileOf(text, 'long.c') },
      )
      const sent = await caller.post(`/v2/projects/${project.json.id}/attachments`, form)
      assert.equal(sent.status, 201, sent.text)
      const { pathname, search } = new URL(sent.json.url)
      assert.equal((await caller.get(pathname + search)).text, text)
    })

    it('names who asks, whatever the client says of itself, and passes on what is refused', async () => {
      const ask = (localAddress: string, forged: string) =>
        new Promise<{ status: number | undefined; wait: string | undefined }>((resolve, reject) => {
          const body = 'grant_type=client_credentials&client_id=x&client_secret=y'
          const headers = {
            'content-type': 'application/x-www-form-urlencoded',
            'x-forwarded-for': forged,
            forwarded: `for=${forged}`,
          }
          const options = {
            host: '127.0.0.1',
            servername: 'localhost',
            port,
            ca: tls.cert,
            localAddress,
            method: 'POST',
            path: '/oauth/token',
            headers,
            agent: new SecureAgent(),
          }
          const sent = secureRequest(options, (answer) => {
            answer.resume()
            resolve({ status: answer.statusCode, wait: answer.headers['retry-after'] })
          })
          sent.once('error', reject)
          sent.end(body)
        })
      const answers = await Promise.all(Array.from({ length: 40 }, (_, time) => ask('127.0.0.2', `192.0.2.${time}`)))
      const refused = answers.filter(({ status }) => status === 429)
      assert.ok(refused.length > 0, answers.map(({ status }) => status).join())
      for (const { wait: seconds } of refused) assert.match(seconds ?? '', /^\d+$/)
      assert.equal((await ask('127.0.0.3', '127.0.0.2')).status, 401)
    })

    it('refuses no request while the processes of the service are replaced', async () => {
      const pids = async () => (await run('pgrep', ['-P', String(service.child.pid)])).stdout.trim().split('\n').sort()
      const former = await pids()
      const stop = keepCalling([
        onOneSession(called, '/health'),
        onOneConnection(called, '/health'),
        onNewConnections(called, '/health'),
      ])
      service.child.kill('SIGHUP')
      while ((await pids()).some((pid) => former.includes(pid))) await wait(300)
      const found = await stop()
      assert.deepEqual(Object.keys(found), ['200'], JSON.stringify(found))
    })
  })
}
