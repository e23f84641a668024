import { Agent } from 'node:https'
import { ask } from './ask.ts'
import type { Target } from './load.ts'
import type { Ready } from './messages.ts'

/** Asks both servers for everything that will be measured. Throws when an answer differs by a byte. */
export async function requireSameBodies({ targets, ca, paths }: Ready): Promise<void> {
  const agent = new Agent({ ca, keepAlive: true })
  for (const path of [paths.usersPage, paths.locationsPage, ...paths.richPages, ...paths.singleUsers]) {
    const [ours, bare] = [await fetchBody(agent, targets.uncached, path), await fetchBody(agent, targets.bare, path)]
    if (ours === bare && ours.length > 2) continue
    let at = 0
    while (ours[at] === bare[at] && at < ours.length) at += 1
    const around = (body: string) => body.slice(Math.max(0, at - 60), at + 60)
    throw new Error(`The answers to ${path} differ at ${at}:\nours ${around(ours)}\nbare ${around(bare)}`)
  }
  agent.destroy()
}

async function fetchBody(agent: Agent, target: Target, path: string): Promise<string> {
  const { status, body } = await ask(agent, target, { path })
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${body}`)
  return body
}
