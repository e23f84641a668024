/** The flag with which `campus serve` starts itself again. */
export const AS_WORKER = '--as-worker'

/** The first message to a worker. */
export type WorkerStart = {
  readonly databaseUrl: string
  /** Shared, so that each worker opens what another has sealed. Undefined if the operator set a key. */
  readonly sealingKey: string | undefined
}

export type WorkerReady = { readonly address: string }

/** Messages between workers and supervisor, besides those of `Workers`. */
export const WORKER_MESSAGES = {
  /** Asks for the WorkerStart. */
  begin: 'begin',
  /** Counts a request against a rate. */
  spend: 'spend',
  /** Asks for the metrics of all workers. */
  metrics: 'metrics',
  /** Asks a worker for its own counters. */
  counted: 'counted',
} as const
