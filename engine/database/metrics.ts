import { counter, described, gauge, type Metric } from '../base/metrics/metric.ts'
import type { Database } from './database.ts'
import type { ReplicaFigures } from './replicas.ts'

export function databaseMetrics({ statements, figures }: Pick<Database, 'statements' | 'figures'>): readonly Metric[] {
  const { pools, isAway, hasWriterLease, replicas } = figures()
  const byPool = (what: (pool: (typeof pools)[number]) => number) =>
    pools.map((pool) => ({ labels: { pool: pool.name }, value: what(pool) }))
  const byState = pools.flatMap(({ name: pool, used, idle }) => [
    { labels: { pool, state: 'used' }, value: used },
    { labels: { pool, state: 'idle' }, value: idle },
  ])
  return [
    gauge(
      described('database_up', 'Whether the database answers; 0 where it does not answer any of the processes.'),
      isAway ? 0 : 1,
      'min',
    ),
    gauge(
      described(
        'writer_lease',
        'Whether a process is the only one that is connected, and need not ask for each answer from a cache what changed.',
      ),
      hasWriterLease ? 1 : 0,
    ),
    gauge(
      described(
        'database_connections',
        'Connections to the database, by pool (requests, background, snapshots) and state (used, idle).',
      ),
      byState,
    ),
    gauge(
      described('database_connections_limit', 'The most connections to the database at a time, by pool.'),
      byPool(({ size }) => size),
    ),
    gauge(
      described('database_waiting', 'What waits for one of the connections, by pool.'),
      byPool(({ waiting }) => waiting),
    ),
    ...replicaMetrics(replicas ?? NO_REPLICAS),
    ...statements.collect(),
  ]
}

const NO_REPLICAS: ReplicaFigures = { replicas: [], reads: { replica: 0, primary: 0 } }

const replicaMetrics = ({ replicas, reads }: ReplicaFigures): readonly Metric[] => [
  gauge(
    described(
      'database_replica_used',
      'Whether a replica is read, by its place in DATABASE_REPLICA_URLS; 0 where one of the processes does not read it.',
    ),
    replicas.map(({ name: replica, isUsed }) => ({ labels: { replica }, value: isUsed ? 1 : 0 })),
    'min',
  ),
  counter(
    described(
      'database_reads_total',
      'Statements that could have been answered by a replica, by where they were (replica, primary).',
    ),
    Object.entries(reads).map(([server, value]) => ({ labels: { server }, value })),
  ),
]
