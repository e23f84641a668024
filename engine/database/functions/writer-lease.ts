import { sessionSetting } from '../../base/service.ts'
import type { Recording } from './change-triggers.ts'
import type { SqlFunction, SqlTrigger } from './definitions.ts'

/**
 * For so long after it has asked what changed, the process that has the writer lease answers from its caches without asking again;
 * what others write waits for longer than that before it is committed.
 */
export const GRANT_MILLISECONDS = 20
const ANNOUNCED_SECONDS = 0.025

/** The setting of a session that says for which process it works. */
export const PROCESS_SETTING = sessionSetting('process')

/** Who writes holds this until the commit, and who takes the lease: so that no commit of a former holder is under way then. */
const HOLDER_LOCK = 4_210_001
/** Who writes without the lease holds this until the commit. While it is held nothing is granted. */
const ANNOUNCEMENT_LOCK = 4_210_002

/** Takes the lease for the process of this parameter, unless a transaction that writes is under way: nobody waits for that. */
export const TAKE_LEASE = `
  update change_epoch set writer = $1 where writer is null and pg_try_advisory_xact_lock(${HOLDER_LOCK}) returning writer`

/** Goes before the question what changed, in the same round trip, so that the question sees what was committed before. */
export const TRY_GRANT = `select set_config('${sessionSetting('granted')}', pg_try_advisory_xact_lock(${ANNOUNCEMENT_LOCK})::text, true)`

/** Whether changes may be taken for known for a while: for the process of this parameter, where nobody else is about to commit. */
export const isGrantedTo = (parameter: string): string =>
  `writer is not distinct from ${parameter} and current_setting('${sessionSetting('granted')}', true) is not distinct from 'true'`

const ANNOUNCE = `
        perform pg_advisory_xact_lock_shared(${ANNOUNCEMENT_LOCK});
        perform pg_sleep(${ANNOUNCED_SECONDS});`

/** What is recorded is announced first (`announce_change`), once in each transaction. */
export const WRITER_LEASE_FUNCTIONS: readonly SqlFunction[] = [
  // The lease cannot change hands until the transaction ends; what is read here is not of its snapshot, unless it has one for all of it.
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

/** Inserts into some tables are not recorded, but it is cached that a row was missing. */
export const writerLeaseTriggers = ({ insertsUnrecorded }: Recording): readonly SqlTrigger[] =>
  ['table_changes', ...insertsUnrecorded].map((table) => ({
    name: `${table}_announced`,
    table,
    on: 'before insert',
    isForStatement: true,
    isAlways: true,
    call: 'announce_change()',
  }))

/** The first row after a crash: what was granted before has run out. */
export const BEGIN_EPOCH = `
  with waited as materialized (select pg_sleep(${ANNOUNCED_SECONDS}))
  insert into change_epoch (id) select 1 from waited on conflict do nothing`
