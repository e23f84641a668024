import type { Handle } from '../../../database/database.ts'
import { openedAt } from '../school.ts'
import type { World } from '../world.ts'
import { CAMPUSES, CURSUS, FURTHER_CAMPUSES, PROJECTS } from './numbers.ts'
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
    await db.rows('update campus set time_zone = $2, country = $3, city = $4, display_name = $5 where id = $1', [
      ...[as, timeZone, country, city],
      `${city} Campus`,
    ])
  }
  await openFurtherCampuses(world, db)
}

/** Where texts and the values of rules say what a project is called. */
async function renameInTexts(db: Handle): Promise<void> {
  for (const [slug, known] of Object.entries(PROJECTS)) {
    await db.rows('update params_project_sessions_rules set value = $2 where value = $1', [slug, known.slug])
    for (const [table, id] of [
      ['projects', 'id'],
      ['project_sessions', 'project_id'],
    ]) {
      await db.rows(
        `update ${table} t set description = replace(t.description, p.name, $2) from projects p
         where p.slug = $1 and p.id = t.${id}`,
        [slug, known.name],
      )
    }
  }
}

async function openFurtherCampuses(world: World, db: Handle): Promise<void> {
  const opened = new Date(openedAt(world.now)).toISOString()
  for (const { as, name, slug, timeZone, country, city, language } of FURTHER_CAMPUSES) {
    await db.rows(
      `insert into campus (id, name, slug, display_name, time_zone, language_id, country, city, website, email_extension,
       minimum_slot_duration, created_at, updated_at)
       select $1, $2, $3, $4, $5, l.id, $6, $7, $8, $9, 30, $10, $10 from languages l where l.identifier = $11`,
      [
        ...[as, name, slug, `${city} Campus`, timeZone, country, city],
        ...[`https://www.${slug}.example`, `${slug}.example`, opened, language],
      ],
    )
  }
  const ids = FURTHER_CAMPUSES.map(({ as }) => as)
  const further = `(array[${ids.join(', ')}])[1 + (user_id / ${SHARE}) % ${ids.length}]`
  await db.rows(`update campus_users set campus_id = ${further} where is_primary and user_id % ${SHARE} = 0`)
  await db.rows(`update locations set campus_id = ${further} where user_id % ${SHARE} = 0`)
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
