import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../support/client.ts'
import { followUsage, Load, type Usage, usageOf } from './measured-load.ts'
import { type Endangered, embeddedCampus, type Outage, schoolCampus } from './outages.ts'
import type { ServerProcess } from './server-process.ts'

/** `npm run test:release` asks for times from a second to a minute, each outage with each. */
const TIMES = process.env.CAMPUS_TEST_OUTAGE_SECONDS?.split(',').map(Number)
const IS_FULL = TIMES !== undefined
const CALLERS = 16
const SETTLE_MILLISECONDS = 700

/**
 * Promised limits. The suite shares its machine with other tests, so its time limits only check the order of magnitude.
 */
const MAX_SOCKETS = 50
const MAX_MEBIBYTES = 100
const BACK_WITHIN_SECONDS = IS_FULL ? 5 : 30
/** The pool, the patient pool, the one that listens, and ours. */
const MAX_CONNECTIONS = 10 + 2 + 1 + 1

/** Until silence is noticed some seconds pass: a question now and then, its answer, and another connection. */
const NOTICED_AFTER_SECONDS = 10

type Planned = { readonly outage: string; readonly seconds: number; readonly isBusy: boolean }

describe('a service whose database is away', { concurrency: 2 }, () => {
  describe('its embedded one', { concurrency: 1 }, () => {
    const plan: Planned[] = [
      { outage: 'killed', seconds: 1, isBusy: true },
      { outage: 'frozen', seconds: NOTICED_AFTER_SECONDS + 1, isBusy: true },
    ]
    goThrough(embeddedCampus, ['stopped', 'killed', 'frozen'], plan)
  })

  describe('one of the school', { concurrency: 1 }, () => {
    const plan: Planned[] = [
      { outage: 'stopped', seconds: 1, isBusy: true },
      { outage: 'refusing logins', seconds: 1, isBusy: true },
      { outage: 'cut off', seconds: 1, isBusy: true },
      { outage: 'behind a silent line', seconds: NOTICED_AFTER_SECONDS + 1, isBusy: false },
    ]
    const all = ['stopped', 'killed', 'frozen', 'refusing logins', 'out of connections', 'cut off']
    goThrough(schoolCampus, [...all, 'behind a silent line'], plan)
  })
})

function goThrough(open: () => Promise<Endangered>, all: readonly string[], short: readonly Planned[]): void {
  let world: Endangered
  let server: ServerProcess
  let client: Client
  before(async () => {
    world = await open()
    server = await world.campus.start()
    client = await world.campus.caller()
    const warm = new Load(client, CALLERS)
    await wait(SETTLE_MILLISECONDS)
    await warm.stop()
    assert.deepEqual(warm.wrong, [])
  })
  after(() => world?.remove())

  const everything = () =>
    (TIMES ?? []).flatMap((seconds) =>
      all.flatMap((outage) => [true, false].map((isBusy): Planned => ({ outage, seconds, isBusy }))),
    )
  for (const planned of IS_FULL ? everything() : short) {
    const { outage, seconds, isBusy } = planned
    it(`${outage} for ${seconds} s ${isBusy ? 'amid calls' : 'while nobody calls'}`, async (t) => {
      await survive(t, planned, world, server.child.pid as number, client)
      assert.equal(server.child.exitCode, null)
    })
  }
}

async function survive(
  t: TestContext,
  { outage, seconds, isBusy }: Planned,
  world: Endangered,
  pid: number,
  client: Client,
) {
  const load = isBusy ? new Load(client, CALLERS) : undefined
  await wait(SETTLE_MILLISECONDS)
  const usual = await usageOf(pid)
  const stopFollowing = usual && followUsage(pid, usual)
  const { begin, end } = world.outages[outage] as Outage
  await begin()
  await wait(seconds * 1000)
  await end()
  await world.ask('select 1')
  const backAt = performance.now()
  const servingAt = load ? await load.nextDone() : await firstDone(client)
  await load?.stop()
  const most = await stopFollowing?.()
  const connections = Number(
    await world.ask("select count(*) from pg_stat_activity where backend_type = 'client backend'"),
  )

  const back = (servingAt - backAt) / 1000
  t.diagnostic(describeOutcome({ back, usual, most, connections, load }))
  assert.deepEqual(load?.wrong ?? [], [])
  const isNoticed = !['frozen', 'behind a silent line'].includes(outage) || seconds > NOTICED_AFTER_SECONDS
  if (load && isNoticed) assert.ok((load.answered.get(503) ?? 0) > 0, 'nobody was refused')
  assert.ok(back <= BACK_WITHIN_SECONDS, `served again after ${back} s`)
  assert.ok(connections <= MAX_CONNECTIONS, `${connections} connections`)
  if (!usual || !most) return t.diagnostic('SKIPPED: sockets and memory, which this system does not tell (/proc)')
  assert.ok(most.sockets - usual.sockets <= MAX_SOCKETS, `${most.sockets - usual.sockets} more sockets`)
  assert.ok(most.mebibytes - usual.mebibytes <= MAX_MEBIBYTES, `${most.mebibytes - usual.mebibytes} MiB more`)
}

/** When the first call is done. */
async function firstDone(client: Client): Promise<number> {
  for (;;) {
    const { status, text } = await client.get('/v2/users')
    if (status === 200) return performance.now()
    assert.equal(status, 503, text)
    await wait(20)
  }
}

type Outcome = {
  readonly back: number
  readonly usual: Usage | undefined
  readonly most: Usage | undefined
  readonly connections: number
  readonly load: Load | undefined
}

function describeOutcome({ back, usual, most, connections, load }: Outcome): string {
  const answers = [...(load?.answered ?? [])].map(([status, times]) => `${status}: ${times}`).join(', ')
  const more =
    usual && most && `${most.sockets - usual.sockets} sockets, ${Math.round(most.mebibytes - usual.mebibytes)} MiB more`
  const maxLength = load && `longest call ${Math.round(load.maxMilliseconds)} ms`
  return [`back after ${back.toFixed(2)} s`, more, `${connections} connections`, maxLength, answers]
    .filter(Boolean)
    .join('; ')
}
