import { defined } from '@campus/engine/base/defined'
import { isRecord } from '@campus/engine/base/narrow'
import { print } from '@campus/engine/base/text/printable'
import { Captures } from '@campus/engine/changes/capture'
import { Relay } from '@campus/engine/changes/relay'
import { MemberRoom } from '@campus/engine/changes/streams/member-room'
import type { Outcome } from '@campus/engine/changes/streams/outcomes'
import { WatchedGroup } from '@campus/engine/changes/streams/watched-group'
import { FeedTail } from '@campus/engine/changes/tail'
import { requestContext } from '@campus/engine/rest/request-context'
import { routeTable } from '@campus/engine/rest/route-table'
import { planWatched } from '@campus/engine/rest/watched'
import { storageOfResources } from '../school/resources/declared.ts'
import type { Dependencies } from '../server/database-command.ts'
import { listed, listRequest } from './export-command.ts'
import { openEngine, operator } from './open-engine.ts'

/** A list to watch, selected by a query. */
export type WatchValues = { readonly resource: string; readonly query: string; readonly json: boolean }

const TICK_MS = 1_000

/**
 * Prints each change of a list until the process gets a signal. Reads the feed itself, so it needs neither a token nor a
 * running service.
 */
export async function watchForCommand(
  dependencies: Dependencies,
  { resource: name, query, json }: WatchValues,
): Promise<{ readonly changes: number }> {
  const { database } = dependencies
  const engine = await openEngine(dependencies)
  const caller = operator('watch')
  const resource = listed(engine.registry, name)
  const route = routeTable(engine.registry).find((one) => one.path === `/v2/${resource.name}` && one.listOf)
  const list = await planWatched(engine, defined(route), listRequest(caller, query))
  const captures = new Captures(database, storageOfResources())
  await captures.capture(list.tables)

  const failed = Promise.withResolvers<never>()
  const onError = failed.reject
  const group = Promise.withResolvers<WatchedGroup>()
  let changes = 0
  let turn: Promise<unknown> = Promise.resolve()
  const show = (outcomes: readonly Outcome[]) => {
    for (const outcome of outcomes) print(json ? asJson(outcome) : asText(outcome))
    changes += outcomes.length
  }
  /** Runs one at a time: batches of changes, and checks by the clock. */
  const inTurn = (work: (watched: WatchedGroup) => Promise<readonly Outcome[]>) => {
    turn = turn.then(async () => show(await work(await group.promise)))
    return turn
  }
  const relay = new Relay({ database, captures, onError })
  const tail = new FeedTail({
    database,
    isNeeded: () => true,
    onIdle: () => {},
    onError,
    async onBatch({ head, changes, isContinued }) {
      await inTurn((watched) => {
        watched.cursor = head
        return isContinued ? watched.apply(changes) : watched.restart(head.position)
      })
    },
  })
  relay.start()
  tail.start()
  const ticking = setInterval(() => {
    captures.markUsed(list.tables).catch(onError)
    inTurn(async (watched) => (watched.isDue ? watched.refresh() : [])).catch(onError)
  }, TICK_MS)
  try {
    const watched = new WatchedGroup(list, await tail.begin(), {
      context: () => requestContext(engine, caller),
      room: new MemberRoom(),
      owner: { person: 'command', isPage: false },
    })
    await watched.begin()
    group.resolve(watched)
    print(`Watching ${resource.name}; Ctrl-C ends it.`, process.stderr)
    await Promise.race([signalled(), failed.promise])
  } finally {
    clearInterval(ticking)
    await tail.stop()
    await relay.stop()
  }
  return { changes }
}

function signalled(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
}

function asJson(outcome: Outcome): object {
  if (outcome.kind === 'reset') return { type: 'reset' }
  const { kind: type, id } = outcome
  return outcome.kind === 'destroy' ? { type, id } : { type, id, record: JSON.parse(outcome.record) }
}

/** Returns the values of the record itself. `--json` has all. */
function asText(outcome: Outcome): string {
  if (outcome.kind === 'reset') return 'reset    read the list again'
  const words = [outcome.kind.padEnd(7), String(outcome.id)]
  if (outcome.kind === 'destroy') return words.join('  ')
  const record: unknown = JSON.parse(outcome.record)
  const values = Object.entries(isRecord(record) ? record : {}).flatMap(([name, value]) =>
    name === 'id' || value === null || typeof value === 'object' ? [] : [`${name}=${JSON.stringify(value)}`],
  )
  return [...words, ...values].join('  ')
}
