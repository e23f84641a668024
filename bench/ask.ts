import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Request } from 'autocannon'
import type { Target } from './load.ts'

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** Asks once, outside of any measurement. */
export async function ask(agent: Agent, { url, headers }: Target, asked: Request): Promise<Answer> {
  const { method = 'GET', path, headers: own, body = '' } = asked
  const call = request(url + path, { agent, method, headers: { ...headers, ...own } }).end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { status: response.statusCode as number, headers: response.headers, body: await text(response) }
}
