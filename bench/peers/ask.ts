import type { Request } from 'autocannon'
import { Agent, request } from 'undici'
import type { Target } from '../load.ts'

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** The service has a self-signed certificate. */
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

/** Asks once, outside of any measurement, over TLS or without. Throws unless the answer has a status of 2xx. */
export async function ask({ url, headers }: Target, asked: Request): Promise<Answer> {
  const { method = 'GET', path, body } = asked
  const response = await request(url + path, {
    dispatcher,
    method,
    headers: { ...headers, ...asked.headers },
    ...(body === undefined ? {} : { body }),
  })
  const answer = { status: response.statusCode, headers: response.headers, body: await response.body.text() }
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${url}${path} was answered ${answer.status}: ${answer.body.slice(0, 500)}`)
  }
  return answer
}
