import { counter, gauge, type Metric } from '@campus/engine/base/metrics/metric'

/** Numbers of backups that this process has made or could not make. */
type BackupCounts = Readonly<Record<'made' | 'failed', number>>

/** Returns metrics of backups. Only one process of a service has `findLast`. */
export async function backupMetrics(
  counts: BackupCounts,
  { everyHours }: { readonly everyHours: number },
  findLast: (() => Promise<Date | undefined>) | undefined,
): Promise<readonly Metric[]> {
  const made = counter(
    { name: 'campus_backups_total', help: 'Backups that were due, by result (made, failed).' },
    Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  )
  if (!findLast) return [made]
  const last = await findLast().catch(() => undefined)
  const help = 'When the last backup was made that is there, in seconds since 1970; 0 where none is.'
  const described = { name: 'campus_backup_last_success_timestamp_seconds', help }
  const interval = { name: 'campus_backup_interval_seconds', help: 'Seconds from one scheduled backup to the next.' }
  return [made, gauge(interval, everyHours * 3600, 'max'), gauge(described, (last?.getTime() ?? 0) / 1000, 'max')]
}
