import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

import { openedAt } from '../time.ts'
import type { World } from '../world.ts'
import { CAMPUSES, CURSUS, FURTHER_CAMPUSES, FURTHER_CURSUS, FURTHER_PROJECTS, PROJECTS } from './numbers.ts'
import { renumber } from './renumber.ts'

/** One in `SHARE` people is at one of the further campuses. */
const SHARE = 4

/**
 * Gives campuses, cursus and projects the ids, names and slugs that public programs contain. Further campuses get a share
 * of the people, with their locations and events.
 */
export async function likeTheNetwork(world: World, db: Handle): Promise<void> {
  await renameInTexts(db)
  await renumber(db, 'cursus', CURSUS)
  await renumber(db, 'campus', CAMPUSES)
  await renumber(db, 'projects', PROJECTS)
  for (const { as, timeZone, country, city } of Object.values(CAMPUSES)) {
    const values = { time_zone: timeZone, country, city, display_name: `${city} Campus` }
    await db.kysely.updateTable('campus').set(values).where('id', '=', as).execute()
  }
  await addFurtherCurricula(world, db)
  await openFurtherCampuses(world, db)
}

/** Adds the further cursus and their projects, and offers the projects at the first campus. */
async function addFurtherCurricula(world: World, db: Handle): Promise<void> {
  const times = timesOf(world)
  const cursus = FURTHER_CURSUS.map(({ as, ...names }) => ({ id: as, ...names, ...times }))
  await db.kysely.insertInto('cursus').values(cursus).execute()
  for (const { as, cursus: cursus_id, ...names } of FURTHER_PROJECTS) {
    const project = { id: as, ...names, ...times }
    await db.kysely.insertInto('projects').values(project).execute()
    await db.kysely.insertInto('projects_cursus').values({ project_id: as, cursus_id }).execute()
    await db.kysely.insertInto('projects_campus').values({ project_id: as, campus_id: 1 }).execute()
  }
  for (const table of ['cursus', 'projects', 'projects_cursus']) await world.count(table)
}

/** Renames projects in descriptions and in the values of rules. */
async function renameInTexts(db: Handle): Promise<void> {
  for (const [slug, known] of Object.entries(PROJECTS)) {
    const row = sql`from projects p where p.slug = ${slug} and p.id =`
    const description = sql`description = replace(t.description, p.name, ${known.name})`
    await sql`update params_project_sessions_rules set value = ${known.slug} where value = ${slug}`.execute(db.kysely)
    await sql`update projects t set ${description} ${row} t.id`.execute(db.kysely)
    await sql`update project_sessions t set ${description} ${row} t.project_id`.execute(db.kysely)
  }
}

async function openFurtherCampuses(world: World, db: Handle): Promise<void> {
  for (const { as, timeZone, language, ...names } of FURTHER_CAMPUSES) {
    const campus = {
      id: as,
      ...names,
      display_name: `${names.city} Campus`,
      time_zone: timeZone,
      language_id: sql<number>`(select id from languages where identifier = ${language})`,
      website: `https://www.${names.slug}.example`,
      email_extension: `${names.slug}.example`,
      minimum_slot_duration: 30,
      ...timesOf(world),
    }
    await db.kysely.insertInto('campus').values(campus).execute()
  }
  const ids = FURTHER_CAMPUSES.map(({ as }) => as)
  const further = sql`(${ids}::int[])[1 + (user_id / ${sql.lit(SHARE)}) % ${sql.lit(ids.length)}]`
  await sql`update campus_users set campus_id = ${further} where is_primary and user_id % ${SHARE} = 0`.execute(
    db.kysely,
  )
  await sql`
    update locations set campus_id = ${further}, updated_at = updated_at + interval '1 ms'
    where user_id % ${SHARE} = 0`.execute(db.kysely)
  const links = `select t.event_id, c.id from events_campus t, unnest(array[${ids.join(', ')}]) c (id) where t.campus_id = 1`
  await world.derive('events_campus', `insert into events_campus (event_id, campus_id) ${links} order by 1, 2`)
  await world.derive(
    'projects_campus',
    `insert into projects_campus (project_id, campus_id)
     select t.project_id, c.id from projects_campus t, unnest(array[${ids.join(', ')}]) c (id)
     where t.campus_id = 1 order by 1, 2`,
  )
  await world.count('campus')
}

function timesOf({ now }: World) {
  const opened = new Date(openedAt(now)).toISOString()
  return { created_at: opened, updated_at: opened }
}
