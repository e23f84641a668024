import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { HttpError } from '../errors.ts'
import { Connections } from './connections.ts'
import { ERROR_HEADERS, errorBody } from './errors.ts'
import { LIVE_PATH } from './health.ts'
import { listenEverywhere } from './listeners.ts'
import type { Tls } from './tls.ts'

/** The service is usually ready sooner. */
const AFTER_MILLISECONDS = 500
const RETRY_AFTER_SECONDS = 5

type Where = { readonly host: string; readonly port: number; readonly socket: unknown }

const STARTING = errorBody(
  new HttpError(503, 'The service is starting: its database is being made ready.', { error: 'Starting' }),
)

const answer: RequestListener = ({ url }, response) => {
  const isLive = url?.split('?')[0] === LIVE_PATH
  response.statusCode = isLive ? 200 : 503
  // The service itself answers the next request.
  const headers = { ...ERROR_HEADERS, connection: 'close', ...(isLive ? {} : { 'retry-after': RETRY_AFTER_SECONDS }) }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(isLive ? '{"status":"ok"}' : STARTING)
}

/**
 * Answers requests while `work` before the start takes long, such as a migration: `/health/live` with 200, all others with 503 and
 * `Retry-After`. Ignores errors of listening, which the service itself will report.
 */
export async function answerDuring<T>(
  { host, port, socket }: Where,
  tls: Tls | undefined,
  work: () => Promise<T>,
): Promise<T> {
  // A socket in a folder or a port of the system's choice cannot be listened on before the service.
  if (socket || port === 0) return work()
  const server = tls ? createSecureServer(tls, answer) : createPlainServer(answer)
  const connections = new Connections([server])
  let listening: Promise<unknown> = Promise.resolve()
  const timer = setTimeout(() => {
    listening = listenEverywhere(server, { host, port }).catch(() => new Promise((resolve) => server.close(resolve)))
  }, AFTER_MILLISECONDS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    await listening
    const closed = new Promise((resolve) => server.close(resolve))
    connections.end()
    await closed
  }
}
