import { sql } from 'kysely'
import { described, gauge, type Metric } from '../base/metrics/metric.ts'
import { newHolder, readHolder } from '../base/process-name.ts'
import { type Stop, stopAll } from '../base/stop-all.ts'
import type { Database, Handle } from './database.ts'
import { isLeaseOver } from './lease-ends.ts'
import { repeatWork } from './repeat-work.ts'

/** Time after the last heartbeat of a dead process until another takes over. */
export const LEASE_SECONDS = 15
const HEARTBEAT_MS = 5_000
const IS_OVER = (until: string) => sql.raw(isLeaseOver(until, `interval '${LEASE_SECONDS} seconds'`))

export type Start = () => Stop | Promise<Stop>

type Dependencies = {
  readonly database: Database
  /** Returns when the job last succeeded in this process, in milliseconds since 1970. */
  readonly workedAt: (job: string) => number | undefined
  readonly onError: (error: unknown) => void
}

type Job = { readonly start: Start; stop: Stop | undefined }

/**
 * Runs each job in one process of all that share the database: the one with the job's lease. A process that was frozen may run a job
 * that another has taken over, until it notices.
 */
export class JobLeases {
  readonly #dependencies: Dependencies
  readonly #holder = newHolder()
  readonly #jobs = new Map<string, Job>()
  #stopLoop: Stop | undefined
  #stopping = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Registers a job, which runs while this process has its lease. Throws if another job has the name. */
  add(job: string, start: Start): void {
    if (this.#jobs.has(job)) throw new Error(`Two jobs are called ${job}.`)
    this.#jobs.set(job, { start, stop: undefined })
  }

  isRunning(job: string): boolean {
    return this.#jobs.get(job)?.stop !== undefined
  }

  start(): void {
    const { database, onError } = this.#dependencies
    this.#stopLoop = repeatWork({
      database,
      onError,
      milliseconds: HEARTBEAT_MS,
      atOnce: true,
      work: () => this.#round(),
    })
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await stopAll([this.#stopLoop, ...[...this.#jobs.values()].map((job) => () => end(job)), () => this.#release()])
  }

  async #round(): Promise<void> {
    const held = await this.#claim()
    for (const [name, job] of this.#jobs) {
      if (!held.has(name)) await end(job)
      else if (!job.stop && !this.#stopping) await this.#begin(job)
    }
  }

  /** Starts a job. The next round retries a failed start. */
  async #begin(job: Job): Promise<void> {
    try {
      job.stop = (await job.start()) ?? (() => {})
    } catch (error) {
      this.#dependencies.onError(error)
    }
  }

  /** Takes free leases and extends held ones. Does not lock the leases of other processes. */
  async #claim(): Promise<ReadonlySet<string>> {
    const { database, workedAt } = this.#dependencies
    const holder = this.#holder
    const names = [...this.#jobs.keys()].sort()
    const worked = names.map((name) => workedAt(name) ?? null)
    const { rows } = await sql<{ job: string }>`
      insert into job_leases as l (job, holder, leased_until, worked_at)
      select g.job, ${holder}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), to_timestamp(g.worked / 1000)
      from unnest(${names}::text[], ${worked}::float8[]) g (job, worked)
      where not exists (
        select from job_leases o where o.job = g.job and o.holder <> ${holder} and not ${IS_OVER('o.leased_until')}
      )
      on conflict (job) do update set holder = excluded.holder, leased_until = excluded.leased_until,
        held_since = case when l.holder = excluded.holder then l.held_since else excluded.held_since end,
        worked_at = coalesce(excluded.worked_at, l.worked_at)
      where l.holder = excluded.holder or ${IS_OVER('l.leased_until')}
      returning job`.execute(database.background.kysely)
    return new Set(rows.map(({ job }) => job))
  }

  async #release(): Promise<void> {
    const { database } = this.#dependencies
    await sql`update job_leases set leased_until = clock_timestamp() where holder = ${this.#holder}`
      .execute(database.background.kysely)
      .catch(() => {})
  }
}

async function end(job: Job): Promise<void> {
  const { stop } = job
  job.stop = undefined
  await stopAll([stop])
}

export type JobLease = {
  readonly job: string
  readonly holder: string
  readonly isHeld: boolean
  readonly heldSince: Date | null
  readonly workedAt: Date | null
}

export async function findJobLeases(handle: Handle): Promise<readonly JobLease[]> {
  const { rows } = await sql<JobLease>`
    select job, holder, leased_until > clock_timestamp() as "isHeld", held_since as "heldSince", worked_at as "workedAt"
    from job_leases
    union all select 'relay_changes', lease, leased_until > clock_timestamp(), null, null from feed_relay where lease is not null
    order by job`.execute(handle.kysely)
  return rows
}

export async function leaseMetrics(handle: Handle): Promise<readonly Metric[]> {
  const leases = await findJobLeases(handle)
  return [
    gauge(
      described('job_lease', '1 for each lease of a background job that is held, by job, machine and process.'),
      leases
        .filter(({ isHeld }) => isHeld)
        .map(({ job, holder }) => ({ labels: { job, ...readHolder(holder) }, value: 1 })),
    ),
  ]
}
