import type { SqlFunction } from './definitions.ts'

/** Key of the session lock that is held while a sequence is set. The second key is the sequence. */
const SEQUENCE_LOCK = 4_210_003

/** Distance up to which ids are drawn one by one. `nextval` never moves a sequence back, whatever others do meanwhile. */
const DRAWN = 10_000

/** Moves the sequence of a table past an id, unless it is there already. */
export const ADVANCE_IDS = 'select advance_ids($1, $2)'

/**
 * `setval` moves a sequence back if others draw more ids between its parts than the distance that it jumps. So it is used
 * for distances above DRAWN only, by one session at a time.
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
          elsif distance <= ${DRAWN} then
            perform nextval(sequence) from generate_series(1, distance);
          else
            perform pg_advisory_lock(${SEQUENCE_LOCK}, sequence::oid::integer),
              case when reached - coalesce(pg_sequence_last_value(sequence), 0) > ${DRAWN} then setval(sequence, reached) end,
              pg_advisory_unlock(${SEQUENCE_LOCK}, sequence::oid::integer);
          end if;
        end loop;
      end
    `,
  },
]
