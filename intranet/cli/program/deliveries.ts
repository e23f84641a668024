import { InvalidArgumentError, Option } from 'commander'
import { columnsOf, counted, linesOf, listOf, membersOf } from '../../server/columns.ts'
import { databaseCommand } from '../../server/database-command.ts'
import { CALLS } from '../../webhooks/calls.ts'
import type { Listing } from '../../webhooks/delivery-log.ts'
import { STATES } from '../../webhooks/delivery-states.ts'
import { reasonInEnglish } from '../../webhooks/stored-reasons.ts'
import { count, time } from './values.ts'

type Replay = {
  readonly ids: readonly number[]
  /** Deliveries of an endpoint, with times as typed. */
  readonly range?: {
    readonly endpointId: number
    readonly from?: string
    readonly to?: string
    readonly state?: string
  }
}

const DELIVERY_COLUMNS = {
  id: 'id',
  created_at: 'recorded at',
  endpoint_id: 'endpoint',
  event: 'event',
  login: 'login',
  state: 'state',
  tries: 'attempts',
  status: 'status',
  error: 'error',
}

const withReason = <T extends { readonly error: string | null }>(one: T): T => ({
  ...one,
  error: reasonInEnglish(one.error),
})

/** `campus deliveries`: webhook deliveries to campuses. */
export const deliveryCommands = [
  databaseCommand<Listing>({
    name: 'deliveries list',
    about: 'list deliveries, the newest first',
    flags: (command) =>
      command
        .option('--endpoint <id>', 'of one endpoint', count)
        .addOption(new Option('--state <state>', 'in this state').choices(STATES))
        .addOption(new Option('--event <event>', 'of this kind').choices(CALLS))
        .option('--user <user>', 'about one user: an id or a login')
        .option('--limit <number>', 'how many at most (30)', count),
    async run({ database }, listing) {
      const { listDeliveries } = await import('../../webhooks/delivery-log.ts')
      return { deliveries: (await listDeliveries(database, listing)).map(withReason) }
    },
    text: ({ deliveries }) => columnsOf(deliveries, DELIVERY_COLUMNS, 'There are no such deliveries.'),
  }),
  databaseCommand<{ readonly id: number }>({
    name: 'deliveries show',
    about: 'show a delivery: its record, every attempt and the last answer',
    flags: (command) => command.argument('<id>', 'its number', count),
    async run({ database }, { id }) {
      const { findDelivery } = await import('../../webhooks/delivery-log.ts')
      const found = await findDelivery(database, id)
      return { delivery: { ...withReason(found), attempts: found.attempts.map(withReason) } }
    },
    text({ delivery }, raw) {
      const { record, attempts, answer: _, ...rest } = membersOf(delivery)
      const { answer } = membersOf(raw.delivery)
      const lines = listOf(attempts).map(
        ({ at, status, error, milliseconds }) => `  ${at}  ${status ?? error}  ${milliseconds} ms`,
      )
      return [
        linesOf(rest),
        'record:',
        indent(JSON.stringify(record, null, 2)),
        ...(lines.length > 0 ? ['attempts:', ...lines] : []),
        ...(answer ? ['last answer:', indent(String(answer))] : []),
      ].join('\n')
    },
  }),
  databaseCommand<Replay>({
    name: 'deliveries replay',
    about: 'replay decided deliveries: those named, or those of an endpoint that failed for good',
    flags: (command) =>
      command
        .argument('[ids...]', 'their numbers', (text: string, before: readonly number[] = []) => [
          ...before,
          count(text),
        ])
        .option('--endpoint <id>', 'of one endpoint', count)
        .option('--from <time>', 'recorded from then on, in ISO 8601', time)
        .option('--to <time>', 'recorded until then, in ISO 8601', time)
        .option('--state <state>', 'dead (the default), rejected or delivered'),
    values({ ids = [], endpoint, from, to, state }) {
      if (endpoint !== undefined) return { ids, range: { endpointId: endpoint, from, to, state } }
      if (ids.length > 0) return { ids }
      throw new InvalidArgumentError('Name the deliveries, or an endpoint with --endpoint.')
    },
    async run({ database, actor, now }, { ids, range }) {
      const { replayOne, replayRange } = await import('../../webhooks/replay.ts')
      return database.transaction(async (tx) => {
        for (const id of ids) await replayOne(tx, id, { actor, now })
        if (!range) return { replayed: ids.length }
        const times = { from: timeOf(range.from), to: timeOf(range.to) }
        return { replayed: ids.length + (await replayRange(tx, { ...range, ...times }, { actor, now })) }
      })
    },
    text: ({ replayed }) => `Replays ${counted(replayed, 'delivery', 'deliveries')}.`,
  }),
]

const timeOf = (typed: string | undefined) => (typed === undefined ? undefined : new Date(typed))

const indent = (text: string) => text.replace(/^/gm, '  ')
