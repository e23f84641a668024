/**
 * The work of one person, in a thread of its own, so that it does not delay those who measure: `workerData` says which, a message
 * ends it, and the counts of outcomes are posted at the end.
 */
import { readFile } from 'node:fs/promises'
import { Agent, type RequestOptions, request } from 'node:https'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '@campus/engine/base/lower-priority'

/** Concurrent work of one person. Downloads and uploads are repeated; streams are opened once and stay open. */
export type Misuse = {
  readonly port: number
  readonly ca: string
  /** A page of a signed-in browser that opens files, with the cookie and the token of its forms. */
  readonly browser: { readonly cookie: string; readonly csrf: string }
  readonly streams?: { readonly paths: readonly string[]; readonly tokens: readonly string[]; readonly count: number }
  readonly agendas?: { readonly path: string; readonly atOnce: number; readonly times: number }
  readonly files?: readonly UploadedFile[]
}

/** A file on the disk, and the form that takes it. */
export type UploadedFile = {
  readonly path: string
  readonly name: string
  readonly field: string
  readonly address: string
  readonly fields: Readonly<Record<string, string>>
  /** Sent with this token instead of the browser. */
  readonly token?: string
  readonly times: number
}

/** How often each outcome came, by the kind of work: statuses and codes of errors. */
export type Outcomes = Readonly<Record<string, Readonly<Record<string, number>>>>

const STREAMS_AT_ONCE = 32
const REFUSED_WAIT_MS = 100
const { port, ca, browser, streams, agendas, files } = workerData as Misuse
const agent = new Agent({ keepAlive: true })
const ending = new AbortController()
const found: Record<string, Record<string, number>> = {}

function count(kind: string, outcome: string): void {
  const outcomes = found[kind] ?? {}
  found[kind] = outcomes
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
}

type Sent = {
  readonly options: RequestOptions
  readonly body?: Buffer
  readonly isHeld?: boolean | undefined
}

/**
 * Resolves to the status when the response has ended, or when it has begun if `isHeld`. Sends a GET again if the server closes a
 * reused connection at that time, as clients do (RFC 9110, 9.2.2).
 */
function send({ options, body, isHeld }: Sent): Promise<string> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const isRetryable = error.code === 'ECONNRESET' && sent.reusedSocket && !body
      resolve(isRetryable ? send({ options, isHeld }) : (error.code ?? error.message))
    }
    const asked = { host: '127.0.0.1', servername: 'localhost', port, ca, agent, signal: ending.signal, ...options }
    const sent = request(asked, (response) => {
      const status = String(response.statusCode)
      response.on('error', fail)
      response.on('end', () => resolve(status))
      response.resume()
      if (isHeld && status === '200') resolve(status)
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

async function openStreams({ paths, tokens, count: most }: NonNullable<Misuse['streams']>): Promise<void> {
  let asked = 0
  await all(STREAMS_AT_ONCE, async () => {
    while (asked < most && !ending.signal.aborted) {
      const at = asked++
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${tokens[at % tokens.length]}` }
      const path = paths[at % paths.length] as string
      count('streams', await send({ options: { path, headers }, isHeld: true }))
    }
  })
}

const readAgendas = ({ path, atOnce, times }: NonNullable<Misuse['agendas']>) =>
  all(atOnce, () => again('agendas', () => send({ options: { path } }), times))

const upload = (file: UploadedFile) => again(file.name, async () => send(await formOf(file)), file.times)

async function formOf({ path, name, field, address, fields, token }: UploadedFile): Promise<Sent> {
  const parts = Object.entries(token ? fields : { csrf_token: browser.csrf, ...fields })
  const texts = parts.map(([key, value]) => `--b\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)
  const head = `${texts.join('')}--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), await readFile(path), Buffer.from('\r\n--b--\r\n')])
  const from = token
    ? { authorization: `Bearer ${token}` }
    : { cookie: browser.cookie, origin: `https://localhost:${port}` }
  const headers = { ...from, 'content-type': 'multipart/form-data; boundary=b', 'content-length': body.length }
  return { options: { path: address, method: 'POST', headers }, body }
}

async function again(kind: string, work: () => Promise<string>, most = Number.POSITIVE_INFINITY): Promise<void> {
  for (let times = 0; times < most && !ending.signal.aborted; times += 1) {
    const outcome = await work()
    if (!ending.signal.aborted) count(kind, outcome)
    if (outcome !== '200') await wait(REFUSED_WAIT_MS)
  }
}

const all = (many: number, work: () => Promise<void>) => Promise.all(Array.from({ length: many }, work))

// On another machine this thread would take no processor time from the service.
lowerPriority(undefined, constants.priority.PRIORITY_LOW)

const asked = streams && openStreams(streams)
const working = Promise.all([asked, agendas && readAgendas(agendas), ...(files ?? []).map(upload)])
parentPort?.once('message', async () => {
  // Fails if the work ends before its first outcome.
  await asked
  const kinds = [...(agendas ? ['agendas'] : []), ...(files ?? []).map(({ name }) => name)]
  while (kinds.some((kind) => !found[kind])) await wait(20)
  ending.abort()
  await working
  parentPort?.postMessage(found satisfies Outcomes)
})
