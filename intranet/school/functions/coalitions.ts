import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** Adds up rows of (coalition_id, score, sign) in one order, so that writers do not deadlock. */
const tally = (rows: string) => `
          insert into coalition_standings as standing (coalition_id, shift, bucket, members)
          select coalition_id, shift, score >> shift, sum(sign)
          from (${rows}) moved, (values (0), (8)) shifts (shift)
          group by 1, 2, 3 having sum(sign) <> 0 order by 1, 2, 3
          on conflict (coalition_id, shift, bucket) do update set members = standing.members + excluded.members;`

/**
 * Rank of each member without counting all better ones: stores the number of members by score and by buckets of 256
 * scores, so that a rank is the sum of some hundred numbers.
 */
export const COALITION_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'count_standings',
    body: `
      declare
        step integer := case tg_op when 'DELETE' then -1 else 1 end;
      begin
        if tg_op = 'UPDATE' then${tally(
          'select coalition_id, score, 1 as sign from changed union all select coalition_id, score, -1 from former',
        )}
        else${tally('select coalition_id, score, step as sign from changed')}
        end if;
        return null;
      end
    `,
  },
  // Members with the same points share a rank: 1, 2, 2, 4.
  {
    name: 'place_in_coalition',
    parameters: 'coalition integer, points integer',
    returns: 'integer',
    language: 'sql',
    isStable: true,
    body: `
      select 1 + coalesce(sum(members), 0)::integer from (
        select members from coalition_standings
        where coalition_id = coalition and shift = 8 and bucket > points >> 8
        union all
        select members from coalition_standings
        where coalition_id = coalition and shift = 0 and bucket > points and bucket <= points | 255
      ) better
    `,
  },
]

const COUNTED = { table: 'coalitions_users', call: 'count_standings()' } as const

export const COALITION_TRIGGERS: readonly SqlTrigger[] = [
  { ...COUNTED, name: 'coalitions_users_joined', on: 'after insert', transitions: 'new table as changed' },
  { ...COUNTED, name: 'coalitions_users_left', on: 'after delete', transitions: 'old table as changed' },
  {
    ...COUNTED,
    name: 'coalitions_users_moved',
    on: 'after update',
    transitions: 'old table as former new table as changed',
  },
]
