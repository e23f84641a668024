import type { SqlFunction } from './definitions.ts'

/** First key of the advisory lock for setting a sequence. The second key is the sequence's OID. */
const SEQUENCE_LOCK = 4_210_003

const MAX_NEXTVAL_CALLS = 10_000

/** Moves the sequence of table `$1` to id `$2`, unless it is beyond. */
export const ADVANCE_IDS = 'select advance_ids($1, $2)'

/**
 * `advance_ids` uses `nextval`, which never moves a sequence back, or `setval` for long distances. `setval` would move it back if other
 * sessions drew more ids meanwhile, so only one session at a time calls it.
 */
export const CHOSEN_ID_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'advance_ids',
    parameters: 'relation text, reached integer',
    returns: 'void',
    body: `
      declare
        sequence regclass := pg_get_serial_sequence(quote_ident(relation), 'id');
        distance bigint;
      begin
        loop
          distance := reached - coalesce(pg_sequence_last_value(sequence), 0);
          if distance <= 0 then
            return;
          elsif distance <= ${MAX_NEXTVAL_CALLS} then
            perform nextval(sequence) from generate_series(1, distance);
          else
            perform pg_advisory_lock(${SEQUENCE_LOCK}, sequence::oid::integer),
              case when reached - coalesce(pg_sequence_last_value(sequence), 0) > ${MAX_NEXTVAL_CALLS} then setval(sequence, reached) end,
              pg_advisory_unlock(${SEQUENCE_LOCK}, sequence::oid::integer);
          end if;
        end loop;
      end
    `,
  },
]
