import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '@campus/engine/base/defined'
import { portOf } from '@campus/engine/base/port-of'
import { listenEverywhere } from '@campus/engine/http/listeners'
import { checkWebhook, type Findings } from './check-webhook.ts'

export type ReceiverOptions = {
  readonly host: string
  readonly port: number
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string }
  readonly secret: string | undefined
  /** Status of all answers. If undefined, answers as a strict receiver does. */
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
  readonly delayMs: number
  /** Never answers. */
  readonly hangs: boolean
}

export type RunningReceiver = { readonly url: string; close(): Promise<void> }

/** A webhook as it arrived, with what was found and answered. */
export type ReceivedWebhook = Findings & {
  readonly method: string
  readonly path: string
  readonly id: string | undefined
  /** Whether one with the same id was answered with a 2xx before. */
  readonly isRepeat: boolean
  /** Without the key and the password. */
  readonly body: unknown
  readonly status: number | undefined
}

const MAX_BYTES = 1_048_576
const REMEMBERED_IDS = 10_000

/** A webservice of a campus for development: takes every webhook, checks it, hands it to `show` and answers as configured. */
export async function startReceiver(
  options: ReceiverOptions,
  show: (webhook: ReceivedWebhook) => void,
): Promise<RunningReceiver> {
  const taken = new Set<string>()
  const server = createServer(options.tls, (request, response) => {
    take(request, response).catch(() => response.destroy())
  })

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request)
    const { method = '', url: path = '', headers, headersDistinct: distinct } = request
    const id = distinct['x-delivery']?.[0] ?? distinct['webhook-id']?.[0]
    const isRepeat = id !== undefined && taken.has(id)
    const { body, ...findings } = checkWebhook({ path, headers, text }, options.secret)
    const status = options.hangs ? undefined : (options.status ?? strictStatus(findings, isRepeat))
    show({ ...findings, method, path, id, isRepeat, body, status })
    if (status === undefined) return
    // A refused webhook is sent again with the same id.
    if (id !== undefined && status < 300) taken.add(id)
    if (taken.size > REMEMBERED_IDS) taken.delete(defined(taken.values().next().value))
    if (options.delayMs > 0) await sleep(options.delayMs)
    const { retryAfterSeconds } = options
    response
      .writeHead(status, retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) })
      .end()
  }

  await listenEverywhere(server, options).catch((error) => {
    server.close()
    throw error
  })
  return {
    url: `https://localhost:${portOf(server)}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A repeat has an answer of its own, so that it can be dropped (208 Already Reported). */
function strictStatus({ key, signature, faults }: Findings, isRepeat: boolean): number {
  if (faults.length > 0) return 400
  if ([key, signature].some((finding) => finding !== 'right' && finding !== 'unchecked')) return 401
  return isRepeat ? 208 : 204
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
