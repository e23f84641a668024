import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { openedAt } from '../school.ts'
import type { World } from '../world.ts'
import { CAMPUSES, CURSUS, FURTHER_CAMPUSES, FURTHER_CURSUS, FURTHER_PROJECTS, PROJECTS } from './numbers.ts'
import { renumber } from './renumber.ts'

/** One in so many people is at one of the further campuses. */
const SHARE = 4

/**
 * Makes the school one that programs of the network find themselves at home in: its campuses, cursus and projects get the
 * ids, names and slugs that are written into programs, and further campuses a share of its people, with their stays and events.
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
  const opened = new Date(openedAt(world.now)).toISOString()
  const times = { created_at: opened, updated_at: opened }
  const cursus = FURTHER_CURSUS.map(({ as, name, slug, kind }) => ({ id: as, name, slug, kind, ...times }))
  await db.kysely.insertInto('cursus').values(cursus).execute()
  for (const { as, name, slug, cursus: cursus_id, exam } of FURTHER_PROJECTS) {
    await db.kysely
      .insertInto('projects')
      .values({ id: as, name, slug, exam, ...times })
      .execute()
    await db.kysely.insertInto('projects_cursus').values({ project_id: as, cursus_id }).execute()
    await db.kysely.insertInto('projects_campus').values({ project_id: as, campus_id: 1 }).execute()
  }
  for (const table of ['cursus', 'projects', 'projects_cursus']) await world.count(table)
}

/** Renames projects in texts and in the values of rules. */
async function renameInTexts(db: Handle): Promise<void> {
  for (const [slug, known] of Object.entries(PROJECTS)) {
    await sql`update params_project_sessions_rules set value = ${known.slug} where value = ${slug}`.execute(db.kysely)
    for (const [table, id] of [
      ['projects', 'id'],
      ['project_sessions', 'project_id'],
    ] as const) {
      await sql`update ${sql.id(table)} t set description = replace(t.description, p.name, ${known.name}) from projects p
         where p.slug = ${slug} and p.id = t.${sql.id(id)}`.execute(db.kysely)
    }
  }
}

async function openFurtherCampuses(world: World, db: Handle): Promise<void> {
  const opened = new Date(openedAt(world.now)).toISOString()
  for (const { as, name, slug, timeZone, country, city, language } of FURTHER_CAMPUSES) {
    const { id: language_id } = await db.kysely
      .selectFrom('languages')
      .select('id')
      .where('identifier', '=', language)
      .executeTakeFirstOrThrow()
    await db.kysely
      .insertInto('campus')
      .values({
        ...{ id: as, name, slug, display_name: `${city} Campus`, time_zone: timeZone, language_id, country, city },
        ...{ website: `https://www.${slug}.example`, email_extension: `${slug}.example` },
        ...{ minimum_slot_duration: 30, created_at: opened, updated_at: opened },
      })
      .execute()
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
