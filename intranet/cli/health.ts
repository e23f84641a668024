import { get as getPlain, type RequestOptions } from 'node:http'
import { get as getSecure } from 'node:https'
import { HEALTH_PATH } from '@campus/engine/http/health'
import type { Config } from '../settings/config.ts'

const TIMEOUT_MILLISECONDS = 5_000

/**
 * Asks the service of these settings whether it is healthy, and returns its address. Throws an Error that contains its answer,
 * or that it did not answer.
 */
export async function checkHealth(config: Config): Promise<string> {
  const address = addressOf(config)
  const { status, text } = await ask(config).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The service at ${address} does not answer (${error.code ?? error.message}).`)
  })
  if (status !== 200) throw new Error(`The service at ${address} is not well: ${status} ${text.trim()}`)
  return address
}

type Answer = { readonly status: number | undefined; readonly text: string }

function ask({ socket, host, port, isBehindProxy }: Config): Promise<Answer> {
  const address = socket ? { socketPath: socket.path } : { host: reachable(host), port }
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    rejectUnauthorized: false,
    ...address,
    path: HEALTH_PATH,
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  }
  // The request sends no secret, so the server need not be authenticated.
  const get = isBehindProxy ? getPlain : getSecure
  return new Promise((resolve, reject) => {
    const request = get(options, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode, text })
    })
    request.once('error', reject)
  })
}

/** A service on all addresses is asked at one of this machine. */
const reachable = (host: string) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

const addressOf = ({ socket, host, port }: Config) => (socket ? `unix:${socket.path}` : `${host}:${port}`)
