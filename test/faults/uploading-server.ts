import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type RequestOptions, request } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { outcomeOf, startCampus } from '../support/run-campus.ts'
import { runCommand } from '../support/run-command.ts'

/** A campus with one project whose server is a process of its own, so that it can be watched and killed. */
export type UploadingServer = {
  readonly url: string
  readonly folder: string
  start(): Promise<{ readonly child: ChildProcess; readonly client: Client }>
  /** Ends the process at once, and waits until it is gone. */
  kill(): Promise<void>
  /** Sends one attachment with a file, as a stream; rejects where the server goes away. */
  upload(
    file: Upload,
  ): Promise<{ readonly status: number; readonly json: { readonly id: number; readonly url: string } }>
  /** The SHA-256 of what is at the address, in hex. */
  digestAt(url: string): Promise<string>
  /** Names of stored files, and of staged ones. */
  files(): Promise<{ readonly retained: string[]; readonly incoming: string[] }>
  remove(): Promise<void>
}

export type Upload = {
  readonly kind: 'pdf' | 'video'
  readonly bytes: number
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>
}

export async function uploadingServer(): Promise<UploadingServer> {
  const folder = await temporaryFolder()
  const database = await testDatabase()
  const port = await freePort()
  const env = {
    CAMPUS_DATA: folder.path,
    CAMPUS_PORT: String(port),
    CAMPUS_LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    CAMPUS_PROCESSES: '1',
  }
  const url = `https://localhost:${port}`
  let agent: ReturnType<typeof trusting> | undefined
  let ca = ''
  let child: ChildProcess | undefined
  let gone: Promise<unknown> = Promise.resolve()
  let client: Client
  let project: number | undefined
  let credentials: { uid: string; secret: string } | undefined

  async function kill() {
    child?.kill('SIGKILL')
    await gone
  }

  return {
    url,
    folder: folder.path,
    async start() {
      const started = startCampus(['serve', '--empty'], env)
      child = started
      const outcome = outcomeOf(started)
      gone = outcome
      await new Promise<void>((resolve, reject) => {
        let text = ''
        started.stdout?.on('data', (data) => {
          text += data
          if (text.includes('Ctrl-C stops it.')) resolve()
        })
        outcome.then(({ code, signal, stderr }) => reject(new Error(`the server ended (${signal ?? code}): ${stderr}`)))
      })
      const known = credentials ?? (await createTutor(env))
      credentials = known
      ca = await readFile(join(folder.path, 'tls/cert.pem'), 'utf8')
      await agent?.destroy()
      agent = trusting(ca)
      client = await callerOf(url, agent, known)
      if (project === undefined) {
        const made = await client.post('/v2/projects', { project: { name: 'Libft', slug: 'libft', difficulty: 1 } })
        assert.equal(made.status, 201, made.text)
        project = made.json.id
      }
      return { child: started, client }
    },
    kill,
    async upload({ kind, bytes, chunks }) {
      const head = Buffer.from(partsOf({ kind, name: 'large', attachable_type: kind }) + fileHead(kind))
      const tail = Buffer.from('\r\n--b--\r\n')
      const options = {
        method: 'POST',
        path: `/v2/projects/${project}/attachments`,
        port,
        host: 'localhost',
        ca,
        headers: {
          authorization: `Bearer ${client.token}`,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': head.length + bytes + tail.length,
        },
      }
      const text = await exchange(options, Readable.from(joined(head, chunks, tail)), async (answer) => {
        const parts: Buffer[] = []
        for await (const part of answer) parts.push(part)
        return `${(answer as unknown as { statusCode: number }).statusCode} ${Buffer.concat(parts)}`
      })
      return { status: Number(text.slice(0, 3)), json: JSON.parse(text.slice(4)) }
    },
    async digestAt(address) {
      const { pathname, search } = new URL(address)
      return exchange({ path: pathname + search, port, host: 'localhost', ca }, undefined, async (answer) => {
        const hash = createHash('sha256')
        for await (const chunk of answer) hash.update(chunk)
        return hash.digest('hex')
      })
    },
    async files() {
      const entries = await readdir(join(folder.path, 'files'), { recursive: true, withFileTypes: true }).catch(
        () => [],
      )
      const found = entries.filter((entry) => entry.isFile())
      const isIncoming = ({ parentPath }: (typeof found)[number]) => parentPath.endsWith('incoming')
      const names = (list: typeof found) => list.map(({ name }) => name)
      return { retained: names(found.filter((file) => !isIncoming(file))), incoming: names(found.filter(isIncoming)) }
    },
    async remove() {
      await agent?.destroy()
      await kill()
      await database.close()
      await folder.remove()
    },
  }
}

async function createTutor(env: Readonly<Record<string, string>>) {
  const rights = ['--roles', 'Advanced Staff,Advanced Tutor', '--scopes', 'public projects']
  const rates = ['--rate-per-second', '1000000', '--rate-per-hour', '100000000']
  const { code, stdout, stderr } = await runCommand(
    ['app', 'create', '--name', 'Tutor', ...rights, ...rates, '--json'],
    env,
  )
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

async function callerOf(
  url: string,
  agent: ReturnType<typeof trusting>,
  { uid, secret }: { uid: string; secret: string },
) {
  const grant = { grant_type: 'client_credentials', client_id: uid, client_secret: secret, scope: 'public projects' }
  const { status, json, text } = await clientOf({ url, agent }).post('/oauth/token', grant)
  assert.equal(status, 200, text)
  return clientOf({ url, agent }, json.access_token)
}

/** Everything but the file. */
const partsOf = ({ kind, ...element }: Readonly<Record<string, string>>) =>
  [
    ['attachment[kind]', kind],
    ...Object.entries(element).map(([name, value]) => [`attachment[attachable_attributes][][${name}]`, value]),
  ]
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')

const fileHead = (kind: string) =>
  `--b\r\nContent-Disposition: form-data; name="attachment[attachable_attributes][][${kind}]"; filename="large.${kind}"\r\n\r\n`

async function* joined(head: Buffer, chunks: Upload['chunks'], tail: Buffer) {
  yield head
  yield* chunks
  yield tail
}

function exchange(
  options: RequestOptions,
  body: Readable | undefined,
  read: (answer: AsyncIterable<Buffer>) => Promise<string>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, agent: false }, (answer) => read(answer).then(resolve, reject))
    sent.on('error', (error) => {
      body?.destroy()
      reject(error)
    })
    if (body) body.pipe(sent)
    else sent.end()
  })
}
