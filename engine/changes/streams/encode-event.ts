import type { FeedHead } from '../feed.ts'
import type { Outcome } from './outcomes.ts'

export const idOf = ({ epoch, position }: FeedHead): string => `${epoch}-${position}`

export function readCursor(id: string): FeedHead | undefined {
  const [, epoch, position] = /^([0-9a-f-]{36})-(\d{1,15})$/.exec(id) ?? []
  return epoch === undefined ? undefined : { epoch, position: Number(position) }
}

export function encodeOutcome(outcome: Outcome, epoch: string): string {
  return eventText(outcome.kind, dataOf(outcome), { epoch, position: outcome.position })
}

function dataOf(outcome: Outcome): string {
  if (outcome.kind === 'reset') return '{}'
  return outcome.kind === 'destroy' ? JSON.stringify({ id: outcome.id }) : outcome.record
}

/** Replaces line breaks, which JSON has only between tokens. */
export const eventText = (kind: string, data: string, cursor: FeedHead): string =>
  `id: ${idOf(cursor)}\nevent: ${kind}\ndata: ${data.replaceAll(/[\r\n]/g, ' ')}\n\n`

/** Updates the client's last event id without an event, and keeps the connection open. */
export const heartbeatText = (cursor: FeedHead): string => `: heartbeat\nid: ${idOf(cursor)}\n\n`
