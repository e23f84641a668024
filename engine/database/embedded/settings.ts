type Needs = {
  readonly address: Readonly<Record<string, string>>
  readonly connections: number
  readonly major: number
}

/** Settings for a small machine. Those in `postgresql.conf` have lower priority. */
export function settingsOf({ address, connections, major }: Needs): Readonly<Record<string, string>> {
  return {
    ...address,
    max_connections: String(connections),
    // A restore locks every table in one transaction.
    max_locks_per_transaction: '256',
    // Acknowledged writes survive a power failure.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // The default may use a gigabyte of a small disk.
    max_wal_size: '256MB',
    min_wal_size: '64MB',
    // Saves three processes. The operating system reads ahead well enough.
    ...(major >= 18 ? { io_method: 'sync' } : {}),
    // The operating system caches more. At rest, this is most of the server's memory.
    shared_buffers: '64MB',
    // Plans made while a table was small use indexes, which are right for large tables, too.
    random_page_cost: '1.1',
    // A long query must not use all cores.
    max_parallel_workers_per_gather: '0',
    // Logs starts, stops and errors of the server, but no statements and values.
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
