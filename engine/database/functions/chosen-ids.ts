import type { SqlFunction } from './definitions.ts'

/** First key of the advisory lock that is held while a sequence is set. The second key is the OID of the sequence. */
const SEQUENCE_LOCK = 4_210_003

/** Maximum distance for which `advance_ids` calls `nextval` for each id. */
const MAX_NEXTVAL_CALLS = 10_000

/** Statement that moves the sequence of the table `$1` to the id `$2` unless the sequence has reached it. */
export const ADVANCE_IDS = 'select advance_ids($1, $2)'

/**
 * `advance_ids` moves a sequence by `nextval`, which never moves it back, or by `setval` if the distance is long. `setval`
 * would move the sequence back if other sessions drew more ids than this distance after the comparison. So one session at
 * a time calls it.
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
