import { Counter } from './counter.ts'
import { Histogram } from './histogram.ts'
import { described, gauge, type Metric } from './metric.ts'

export type InstrumentRun = <T>(job: string, work: () => Promise<T>) => Promise<T>

/** Result of a run that found no work. Such a run is counted but not traced. */
export const NOTHING_TO_DO = Symbol('nothing to do')

export class Jobs {
  readonly #runs = new Counter(
    described('job_runs_total', 'Runs of background jobs, by job and outcome (success, failure).'),
    ['job', 'outcome'],
  )
  readonly #seconds = new Histogram(
    {
      ...described('job_duration_seconds', 'How long runs of background jobs took, by job.'),
      bounds: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800],
    },
    ['job'],
  )
  readonly #succeededAt = new Map<string, number>()
  #instrumented: InstrumentRun = (_job, work) => work()

  instrument(wrap: InstrumentRun): void {
    this.#instrumented = wrap
  }

  watch<T>(job: string, work: () => Promise<T>): () => Promise<T> {
    return async () => {
      const begun = performance.now()
      let outcome = 'failure'
      try {
        const result = await this.#instrumented(job, work)
        outcome = 'success'
        this.#succeededAt.set(job, Date.now())
        return result
      } finally {
        this.#runs.add({ job, outcome })
        this.#seconds.observe({ job }, (performance.now() - begun) / 1000)
      }
    }
  }

  /** Returns when the job last succeeded in this process, in milliseconds since 1970. */
  succeededAt(job: string): number | undefined {
    return this.#succeededAt.get(job)
  }

  collect(): readonly Metric[] {
    return [
      this.#runs.collect(),
      this.#seconds.collect(),
      gauge(
        described(
          'job_last_success_timestamp_seconds',
          'When a background job last ended well, in seconds since 1970, by job.',
        ),
        [...this.#succeededAt].map(([job, milliseconds]) => ({ labels: { job }, value: milliseconds / 1000 })),
        'max',
      ),
    ]
  }
}
