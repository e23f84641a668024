import { Agent } from 'node:https'
import type { Database } from '@campus/engine/database/database'
import { type Answer, ask } from '../ask.ts'
import type { Target } from '../load.ts'

export type AskPath = (path: string) => Promise<Answer>

export type Asked = { readonly ask: AskPath; readonly database: Database; readonly rounds: number }

/** Sends requests on one persistent connection. */
export function askerOf(target: Target, ca: string): AskPath {
  const agent = new Agent({ ca, keepAlive: true, maxSockets: 1 })
  return (path) => ask(agent, target, { path })
}

/** Asks for what must be there. Throws where it is not. */
export async function askFor(ask: AskPath, path: string): Promise<Answer> {
  const answer = await ask(path)
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.body.slice(0, 200)}`)
  return answer
}

/** Returns the number in `X-Total`. */
export const totalOf = ({ headers }: Answer): number => Number(headers['x-total'])
