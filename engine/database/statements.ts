import { Counter } from '../base/metrics/counter.ts'
import { Histogram } from '../base/metrics/histogram.ts'
import { described, type Metric } from '../base/metrics/metric.ts'

export type Statement = {
  readonly text: string
  readonly kind: string
  readonly seconds: number
  readonly isFailed: boolean
}

/** Called when a statement is sent. May return a function to call when it has ended. */
export type StatementListener = (text: string, kind: string) => ((ended: Statement) => void) | undefined

const KINDS = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback'] as const
const FIRST_WORD = /^\s*([a-z]+)/i

export function kindOf(text: string): string {
  const word = FIRST_WORD.exec(text)?.[1]?.toLowerCase()
  return KINDS.find((kind) => kind === word) ?? 'other'
}

export class Statements {
  readonly #failures = new Counter(
    described('database_statement_failures_total', 'Statements that ended with an error, by kind.'),
    ['kind'],
  )
  readonly #seconds = new Histogram(
    {
      ...described(
        'database_statement_duration_seconds',
        'How long statements took, by kind: the word that each begins with.',
      ),
      bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    },
    ['kind'],
  )
  readonly #listeners = new Set<StatementListener>()

  listen(listener: StatementListener): void {
    this.#listeners.add(listener)
  }

  /** Counts a statement that is sent. The returned function must be called when it has ended. */
  begin(text: string): (isFailed: boolean) => void {
    const kind = kindOf(text)
    const begun = performance.now()
    const hearing = this.#listeners.size === 0 ? [] : [...this.#listeners].map((listener) => listener(text, kind))
    return (isFailed) => {
      const seconds = (performance.now() - begun) / 1000
      this.#seconds.observe({ kind }, seconds)
      if (isFailed) this.#failures.add({ kind })
      for (const end of hearing) end?.({ text, kind, seconds, isFailed })
    }
  }

  collect(): readonly Metric[] {
    return [this.#seconds.collect(), this.#failures.collect()]
  }
}
