import { sessionSetting } from '../../base/service.ts'
import type { Recording } from './change-triggers.ts'
import type { SqlFunction, SqlTrigger } from './definitions.ts'

/** How long the holder of the writer lease answers from caches after it has read changes. Other processes' commits wait longer. */
export const GRANT_MILLISECONDS = 20
const ANNOUNCED_SECONDS = 0.025

export const PROCESS_SETTING = sessionSetting('process')

/** Held by writers until commit, and by processes that take the lease, so that no commit of a former holder is running then. */
const HOLDER_LOCK = 4_210_001
/** Held until commit by writers without the lease. Nothing is granted meanwhile. */
const ANNOUNCEMENT_LOCK = 4_210_002

/** Takes the lease for the process `$1`, unless a transaction that writes is running. */
export const TAKE_LEASE = `
  update change_epoch set writer = $1 where writer is null and pg_try_advisory_xact_lock(${HOLDER_LOCK}) returning writer`

/** Runs before the statement that reads what changed, in the same round trip, so that this statement sees earlier commits. */
export const TRY_GRANT = `select set_config('${sessionSetting('granted')}', pg_try_advisory_xact_lock(${ANNOUNCEMENT_LOCK})::text, true)`

/** Returns SQL for whether the process in this parameter has a grant: no other process is about to commit. */
export const isGrantedTo = (parameter: string): string =>
  `writer is not distinct from ${parameter} and current_setting('${sessionSetting('granted')}', true) is not distinct from 'true'`

const ANNOUNCE = `
        perform pg_advisory_xact_lock_shared(${ANNOUNCEMENT_LOCK});
        perform pg_sleep(${ANNOUNCED_SECONDS});`

/** Changes are announced before they are recorded (`announce_change`), once per transaction. */
export const WRITER_LEASE_FUNCTIONS: readonly SqlFunction[] = [
  // The lease cannot change hands until the transaction ends. Reads the latest holder, unless the transaction has one snapshot.
  {
    name: 'announce_change',
    body: `
      declare
        holder text;
      begin
        if current_setting('${sessionSetting('announced')}', true) = 'true' then return null; end if;
        perform pg_advisory_xact_lock_shared(${HOLDER_LOCK});
        select writer into holder from change_epoch;
        if not found or holder is not null and (
          holder is distinct from current_setting('${PROCESS_SETTING}', true)
          or current_setting('transaction_isolation') <> 'read committed'
        ) then${ANNOUNCE}
        end if;
        perform set_config('${sessionSetting('announced')}', 'true', true);
        return null;
      end
    `,
  },
  {
    name: 'end_writer_lease',
    returns: 'void',
    body: `
      begin${ANNOUNCE}
        update change_epoch set writer = null where writer is not null;
      end
    `,
  },
]

/** Covers tables whose inserts are not recorded, since missing rows are cached, too. */
export const writerLeaseTriggers = ({ insertsUnrecorded }: Recording): readonly SqlTrigger[] =>
  ['table_changes', ...insertsUnrecorded].map((table) => ({
    name: `${table}_announced`,
    table,
    on: 'before insert',
    isForStatement: true,
    isAlways: true,
    call: 'announce_change()',
  }))

/** Inserts the first row after a crash, when former grants have expired. */
export const BEGIN_EPOCH = `
  with waited as materialized (select pg_sleep(${ANNOUNCED_SECONDS}))
  insert into change_epoch (id) select 1 from waited on conflict do nothing`
