import type { Handle } from '@campus/engine/database/database'
import { EVENTS, EXAMS, type Registrable } from '@campus/intranet/school/domain/events/places'
import { sql } from 'kysely'
import { type HiddenFlag, POSITION } from './hidden-flags.ts'

/** An event or exam whose places were assigned in the order of registration, since the source does not show who waits. */
export type AssignedPlaces = {
  readonly resource: string
  readonly id: number
  readonly places: number
  readonly registrations: number
}

const REGISTRABLES: readonly Registrable[] = [EVENTS, EXAMS]

/** Sets `updated_at` of people who wait to the order at the source, which hides their times. Leaves lists that are in order. */
export async function keepOrder(db: Handle, { table }: HiddenFlag): Promise<void> {
  const registrable = REGISTRABLES.find(({ registrations }) => registrations === table)
  if (!registrable) return
  const about = sql.ref(`t.${registrable.key}`)
  await sql`
    with line as (
      select t.id, ${about} as about, count(*) over (partition by ${about}) as length,
        row_number() over (partition by ${about} order by t.updated_at, t.id) as present,
        row_number() over (partition by ${about} order by (m.columns ->> ${POSITION}::text)::integer nulls last, t.id) as wanted
      from ${sql.id(table)} t left join mirror_rows m on m.relation = ${table} and m.id = t.id where t.waiting)
    update ${sql.id(table)} t set updated_at = now() - (line.length - line.wanted) * interval '1 millisecond'
    from line where line.id = t.id and line.about in (select about from line where present <> wanted)`.execute(
    db.kysely,
  )
}

/** Assigns places in the order of registration, so that no event or exam has more people than places. */
export async function assignPlaces(
  db: Handle,
  { table }: HiddenFlag,
): Promise<{ readonly written: number; readonly assigned: readonly AssignedPlaces[] }> {
  const registrable = REGISTRABLES.find(({ registrations }) => registrations === table)
  if (!registrable) return { written: 0, assigned: [] }
  const about = sql.ref(`t.${registrable.key}`)
  const { rows: changed } = await sql`
    update ${sql.id(table)} t set waiting = line.place > line.places from (
      select t.id, row_number() over (partition by ${about} order by t.id) as place,
        coalesce(o.max_people::bigint, 9223372036854775807) as places
      from ${sql.id(table)} t join ${sql.id(registrable.table)} o on o.id = ${about}) line
    where line.id = t.id and t.waiting <> (line.place > line.places) returning 1`.execute(db.kysely)
  const { rows } = await sql<Omit<AssignedPlaces, 'resource'>>`
    select o.id, o.max_people as places, count(*)::integer as registrations
    from ${sql.id(registrable.table)} o join ${sql.id(table)} t on o.id = ${about}
    group by o.id having count(*) > o.max_people order by o.id`.execute(db.kysely)
  return { written: changed.length, assigned: rows.map((row) => ({ resource: registrable.table, ...row })) }
}
