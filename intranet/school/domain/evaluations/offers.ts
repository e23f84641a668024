import { type RawBuilder, sql } from 'kysely'

/** Adjacent slots of a user that are all free or all booked. */
export type Offer = {
  readonly ids: readonly number[]
  readonly begin_at: Date
  readonly end_at: Date
  readonly isBooked: boolean
}

/** SQL that joins adjacent slots of a user into offers, so that a limit counts offers and not slots. */
export const offersOfUser = (userId: number, condition: RawBuilder<unknown>): RawBuilder<Offer> => sql<Offer>`
  select array_agg(id order by begin_at) as ids, min(begin_at) as begin_at, max(end_at) as end_at,
    "isBooked"
  from (
    select *, count(*) filter (where not follows) over (partition by "isBooked" order by begin_at) as number
    from (
      select id, begin_at, end_at, "isBooked",
        begin_at is not distinct from lag(end_at) over (partition by "isBooked" order by begin_at) as follows
      from (
        select *, scale_team_id is not null as "isBooked" from slots where user_id = ${userId} and ${condition}
      ) slots
    ) slots
  ) slots group by "isBooked", number`
