import { type Command, InvalidArgumentError, Option } from 'commander'
import { STATES } from '../../webhooks/delivery-states.ts'
import { EVENTS } from '../../webhooks/webhook-events.ts'
import { command, type Run } from './run.ts'
import { count, time } from './values.ts'

/** `campus deliveries`: webhook deliveries to campuses, and their results. */
export function addDeliveryCommands(program: Command, run: Run): void {
  const deliveries = program.command('deliveries').description('webhook deliveries to campuses, and their results')

  command(deliveries, 'list')
    .description('list deliveries, the newest first')
    .option('--endpoint <id>', 'of one endpoint', count)
    .addOption(new Option('--state <state>', 'in this state').choices(STATES))
    .addOption(new Option('--event <event>', 'of this kind').choices(EVENTS))
    .option('--user <user>', 'about one user: an id or a login')
    .option('--limit <number>', 'how many at most (30)', count)
    .action(({ endpoint, state, event, user, limit, ...flags }) =>
      run('deliveries list', { endpoint, state, event, user, limit }, flags),
    )

  command(deliveries, 'show')
    .description('show a delivery: its record, every attempt and the last answer')
    .argument('<id>', 'its number', count)
    .action((id, flags) => run('deliveries show', { id }, flags))

  command(deliveries, 'replay')
    .description('replay decided deliveries: those named, or those of an endpoint that failed for good')
    .argument('[ids...]', 'their numbers', (text: string, before: readonly number[] = []) => [...before, count(text)])
    .option('--endpoint <id>', 'of one endpoint', count)
    .option('--from <time>', 'recorded from then on, in ISO 8601', time)
    .option('--to <time>', 'recorded until then, in ISO 8601', time)
    .option('--state <state>', 'dead (the default), rejected or delivered')
    .action((ids: readonly number[] | undefined, { endpoint, from, to, state, ...flags }) => {
      if ((ids?.length ?? 0) === 0 && endpoint === undefined) {
        throw new InvalidArgumentError('Name the deliveries, or an endpoint with --endpoint.')
      }
      const range = endpoint === undefined ? undefined : { endpointId: endpoint, from, to, state }
      return run('deliveries replay', { ids: ids ?? [], range }, flags)
    })
}
