import { Agent } from 'node:https'
import { type Answer, ask } from '../ask.ts'
import type { Target } from '../load.ts'
import type { FixedLine } from './lines.ts'

/** Headers that every server adds itself. */
const BY_THE_SERVER = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']

/** Asks ours for what a line measures: the answer that plain Fastify gives. Throws where it has another status. */
export async function recordAnswer(ours: Target, ca: string, { name, request, status }: FixedLine): Promise<Answer> {
  const answer = await ask(new Agent({ ca }), ours, request)
  if (answer.status !== status) throw new Error(`${name} was answered ${answer.status}: ${answer.body}`)
  const own = Object.entries(answer.headers).filter(([header]) => !BY_THE_SERVER.includes(header))
  return { ...answer, headers: Object.fromEntries(own) }
}
