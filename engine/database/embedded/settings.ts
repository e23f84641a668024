type Needs = {
  /** How clients reach the server (`address.ts`). */
  readonly address: Readonly<Record<string, string>>
  /** Clients at the same time. */
  readonly connections: number
  /** The major version of the server. */
  readonly major: number
}

/**
 * The settings of the embedded server, for a laptop or a small machine. They go before those of `postgresql.conf`, in which an operator
 * may set any other.
 */
export function settingsOf({ address, connections, major }: Needs): Readonly<Record<string, string>> {
  return {
    ...address,
    max_connections: String(connections),
    // A restore makes, fills and indexes every table in one transaction, and so holds a lock on each.
    max_locks_per_transaction: '256',
    // What is acknowledged is on the disk: a power cut loses nothing.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // The log of writes stays below this size, where the default may take a gigabyte of a small disk.
    max_wal_size: '256MB',
    min_wal_size: '64MB',
    // Three processes fewer; on a small machine the operating system reads ahead well enough.
    ...(major >= 18 ? { io_method: 'sync' } : {}),
    // The operating system caches what is read beside that; at rest this is most of what the server takes.
    shared_buffers: '64MB',
    // No disk turns: a plan that was made while a table was small looks rows up, and does when the table is large.
    random_page_cost: '1.1',
    // Both cores are the service's: a long query must not take them all.
    max_parallel_workers_per_gather: '0',
    // Starts and stops and what goes wrong with the server; never a statement, nor a value of a row.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    lc_messages: 'C',
    log_timezone: 'UTC',
    timezone: 'UTC',
  }
}
