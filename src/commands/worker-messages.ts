/** The flag with which `campus serve` starts itself again. */
export const AS_WORKER = '--as-worker'

/** What a worker is told when it begins. */
export type WorkerStart = {
  /** From 1. The first one keeps house. */
  readonly number: number
  /** Where the database is. */
  readonly databaseUrl: string
  /** With it each worker opens what another has sealed; undefined where the operator set a key. */
  readonly sealingKey: string | undefined
}

/** What it says when it serves. */
export type WorkerReady = { readonly address: string }

/** What workers ask and are asked, beside what `Workers` does. */
export const WORKER_MESSAGES = {
  /** For its orders. */
  begin: 'begin',
  /** To count a request. */
  spend: 'spend',
  /** For the metrics of all. */
  metrics: 'metrics',
  /** For what this worker counts itself. */
  counted: 'counted',
} as const
