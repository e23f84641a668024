import type { SqlFunction } from './definitions.ts'

/** SQLSTATE that a replica raises if it lags behind. */
export const NOT_REPLAYED = 'CR001'

/**
 * Returns SQL of the log position in a heartbeat, whose text is `EPOCH#POSITION`. It is 0 if a former release wrote
 * only the epoch.
 */
export function heartbeatOf(text: string): string {
  return `coalesce(nullif(split_part(${text}, '#', 2), ''), '0')::numeric`
}

/** Runs on a replica before a statement, in the same round trip. If it fails, the statement does not run. */
export const REPLICA_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'require_replayed',
    parameters: 'of_epoch text, log_end bigint',
    returns: 'void',
    body: `
      begin
        if not pg_is_in_recovery() or pg_last_wal_replay_lsn() - '0/0' < log_end
          or not exists (
            select from replicated_epoch
            where split_part(epoch, '#', 1) = split_part(of_epoch, '#', 1) and ${heartbeatOf('epoch')} >= ${heartbeatOf('of_epoch')}
          ) then
          raise exception 'not replayed yet' using errcode = '${NOT_REPLAYED}';
        end if;
      end
    `,
  },
]
