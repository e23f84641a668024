import type { Handle } from '@campus/engine/database/database'
import { type RawBuilder, sql } from 'kysely'

/** A future evaluation. Its corrector must have offered all of its time. */
export type Sitting = {
  readonly teamId: number
  readonly projectId: number
  readonly beginAt: Date
  readonly durationSeconds: number
}

const MAX_CANDIDATES = 50
/** Namespace of the advisory locks on correctors. */
const CORRECTORS = 4202

/**
 * Finds and locks a corrector who offers the time and may evaluate the team: the preferred one, else any. Returns
 * undefined if there is none.
 */
export async function findCorrector(
  tx: Handle,
  sitting: Sitting,
  preferred: number | null,
  now: Date,
): Promise<number | undefined> {
  for (const candidate of await candidates(tx, sitting, preferred, now)) {
    await lockCorrector(tx, candidate)
    if ((await offersAllOf(tx, sitting, candidate)) && !(await isBusy(tx, candidate, sitting))) return candidate
  }
  return undefined
}

/**
 * Locks a corrector against other bookings until the transaction ends. Does not lock the row of the user: points change
 * later in the order of users, and two teams that evaluate each other would deadlock.
 */
export async function lockCorrector(tx: Handle, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CORRECTORS}::int, ${id}::int)`.execute(tx.kysely)
}

export async function takeSlots(
  tx: Handle,
  evaluationId: number,
  correctorId: number,
  sitting: Sitting,
): Promise<void> {
  await sql`
    update slots set scale_team_id = ${evaluationId}
    where user_id = ${correctorId} and scale_team_id is null and ${overlaps(sitting)}`.execute(tx.kysely)
}

export async function freeSlots(tx: Handle, evaluationId: number): Promise<void> {
  await tx.kysely.updateTable('slots').set({ scale_team_id: null }).where('scale_team_id', '=', evaluationId).execute()
}

/** Reports whether a corrector has another unfinished evaluation at that time. The corrector must be locked. */
export async function isBusy(
  tx: Handle,
  correctorId: number,
  { beginAt, durationSeconds }: Pick<Sitting, 'beginAt' | 'durationSeconds'>,
  exceptEvaluationId = 0,
): Promise<boolean> {
  const { rows } = await sql`
    ${evaluationsOf(correctorId, sql`${beginAt}`, sql`${endOf(beginAt, durationSeconds)}`, exceptEvaluationId)}
    limit 1`.execute(tx.kysely)
  return rows.length > 0
}

/** SQL for the unfilled evaluations by a corrector that overlap a span. */
export const evaluationsOf = (
  correctorId: number,
  begin: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
  exceptEvaluationId: number,
) => sql`
  select 1 from scale_teams t join scales s on s.id = t.scale_id
  where t.user_id = ${correctorId} and t.id <> ${exceptEvaluationId} and t.filled_at is null
    and t.begin_at < ${end} and t.begin_at + make_interval(secs => s.duration) > ${begin}`

const endOf = (beginAt: Date, durationSeconds: number) => new Date(beginAt.getTime() + durationSeconds * 1000)

const overlaps = ({ beginAt, durationSeconds }: Sitting) =>
  sql`slots.begin_at < ${endOf(beginAt, durationSeconds)} and slots.end_at > ${beginAt}`

/** SQL for the seconds of the evaluation that slots cover. Slots of a user do not overlap. */
const covered = ({ beginAt, durationSeconds }: Sitting) => sql`
  sum(extract(epoch from least(slots.end_at, ${endOf(beginAt, durationSeconds)}) - greatest(slots.begin_at, ${beginAt})))`

/** Excludes present and former members of the team and correctors who evaluate or have evaluated it. */
const mayEvaluate = (teamId: number) => sql`
  not exists (select 1 from teams_users m where m.team_id = ${teamId} and m.user_id = slots.user_id)
  and not exists (select 1 from former_members m where m.team_id = ${teamId} and m.user_id = slots.user_id)
  and not exists (select 1 from scale_teams e where e.team_id = ${teamId} and e.user_id = slots.user_id)`

async function candidates(
  tx: Handle,
  sitting: Sitting,
  preferred: number | null,
  now: Date,
): Promise<readonly number[]> {
  const { teamId, projectId, durationSeconds } = sitting
  const { rows } = await sql<{ user_id: number }>`
    select slots.user_id from slots join users u on u.id = slots.user_id
    where slots.scale_team_id is null and u.closed_at is null and ${overlaps(sitting)}
      and ${mayEvaluate(teamId)}
      and ${preferred === null ? takesPart(projectId, now) : sql`slots.user_id = ${preferred}`}
    group by slots.user_id having ${covered(sitting)} >= ${durationSeconds}
    order by random() limit ${MAX_CANDIDATES}`.execute(tx.kysely)
  return rows.map(({ user_id }) => user_id)
}

/**
 * Returns the distinct begins in a span at which some candidate offers the whole evaluation. Does not reveal the
 * candidates. A candidate may have another evaluation then, which the booking finds.
 */
export async function beginsBetween(
  { kysely }: Pick<Handle, 'kysely'>,
  { teamId, projectId, durationSeconds }: Omit<Sitting, 'beginAt'>,
  { from, until }: { readonly from: Date; readonly until: Date },
  now: Date,
): Promise<readonly Date[]> {
  const end = sql`slots.begin_at + make_interval(secs => ${durationSeconds})`
  const { rows } = await sql<{ begin_at: Date }>`
    select distinct slots.begin_at from slots join users u on u.id = slots.user_id
    where slots.begin_at > ${from} and slots.begin_at <= ${until} and slots.scale_team_id is null and u.closed_at is null
      and ${mayEvaluate(teamId)} and ${takesPart(projectId, now)}
      and (
        select sum(extract(epoch from least(s.end_at, ${end}) - s.begin_at)) from slots s
        where s.user_id = slots.user_id and s.scale_team_id is null and s.begin_at >= slots.begin_at and s.begin_at < ${end}
      ) >= ${durationSeconds}
    order by slots.begin_at`.execute(kysely)
  return rows.map(({ begin_at }) => begin_at)
}

/** Restricts candidates to users with an active cursus that contains the project. */
const takesPart = (projectId: number, now: Date) => sql`exists (
  select 1 from projects_cursus p join cursus_users c on c.cursus_id = p.cursus_id
  where p.project_id = ${projectId} and c.user_id = slots.user_id
    and c.begin_at <= ${now} and (c.end_at is null or c.end_at > ${now})
)`

/** Locks the free slots of the time, and reports whether they cover all of it. */
async function offersAllOf(tx: Handle, sitting: Sitting, candidate: number): Promise<boolean> {
  const { rows } = await sql<{ isOffered: boolean | null }>`
    with slots as (
      select begin_at, end_at from slots
      where user_id = ${candidate} and scale_team_id is null and ${overlaps(sitting)} for update
    )
    select ${covered(sitting)} >= ${sitting.durationSeconds} as "isOffered" from slots`.execute(tx.kysely)
  return rows[0]?.isOffered ?? false
}
