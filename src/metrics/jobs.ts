import { Counter } from './counter.ts'
import { type Family, gauge } from './family.ts'
import { Histogram } from './histogram.ts'

/** Runs a job; whoever wants to see its runs goes around it. */
export type WatchRun = <T>(job: string, work: () => Promise<T>) => Promise<T>

/** What a job gives that looked for work and found none: its run is counted, and nobody wants to see it by itself. */
export const NOTHING_TO_DO = Symbol('nothing to do')

/** Counts the runs of work that nobody waits for. */
export class Jobs {
  readonly #runs = new Counter(
    { name: 'campus_job_runs_total', help: 'Runs of background jobs, by job and outcome (success, failure).' },
    ['job', 'outcome'],
  )
  readonly #seconds = new Histogram(
    {
      name: 'campus_job_duration_seconds',
      help: 'How long runs of background jobs took, by job.',
      bounds: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800],
    },
    ['job'],
  )
  readonly #succeededAt = new Map<string, number>()
  #around: WatchRun = (_job, work) => work()

  /** Has somebody else go around each run from now on. */
  instrument(watch: WatchRun): void {
    this.#around = watch
  }

  /** The same work, counted under this name. */
  watch<T>(job: string, work: () => Promise<T>): () => Promise<T> {
    return async () => {
      const begun = performance.now()
      let outcome = 'failure'
      try {
        const result = await this.#around(job, work)
        outcome = 'success'
        this.#succeededAt.set(job, Date.now() / 1000)
        return result
      } finally {
        this.#runs.add({ job, outcome })
        this.#seconds.observe({ job }, (performance.now() - begun) / 1000)
      }
    }
  }

  collect(): readonly Family[] {
    return [
      this.#runs.family(),
      this.#seconds.family(),
      gauge(
        {
          name: 'campus_job_last_success_timestamp_seconds',
          help: 'When a background job last ended well, in seconds since 1970, by job.',
        },
        [...this.#succeededAt].map(([job, value]) => ({ labels: { job }, value })),
        'max',
      ),
    ]
  }
}
