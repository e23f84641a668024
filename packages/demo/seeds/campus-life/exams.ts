import type { Person } from '../people.ts'
import { CAMPUSES, CORE } from '../school.ts'
import { DAY, HOUR, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered, workingHour } from './times.ts'

const PER_CAMPUS = 10
const FIRST_DAY = -105
const EVERY_DAYS = 14

/** An exam every other week at each campus. The last of them are still to come. */
export async function seedExams(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('exams')
  const exams = numbered(planExams(world.now))
  await world.insert('exams', exams)
  const pairs = exams.map(({ id }) => ({ exam_id: id, cursus_id: CORE }))
  await world.insert('exams_cursus', pairs)
  await world.run(
    `insert into exams_projects (exam_id, project_id)
     select exams.id, turn.id from exams, lateral (
       select id from projects where exam order by id
       offset exams.id % (select greatest(count(*), 1) from projects where exam) limit 1) turn`,
  )
  const registrations = exams.flatMap(({ id: exam_id, campus_id, begin_at, created_at }) => {
    const until = Math.min(begin_at, world.now)
    const able = people.filter(
      ({ campus, core, presentUntil }) =>
        campus.id === campus_id && core && core.beginAt < created_at && presentUntil > until,
    )
    return chance
      .shuffled(able)
      .slice(0, chance.integer(8, 25))
      .map(({ id }) => ({ exam_id, user_id: id, created_at: toSecond(chance.between(created_at, until)) }))
  })
  await world.insert('exams_users', numbered(registrations))
}

const planExams = (now: number) =>
  CAMPUSES.flatMap((campus) =>
    Array.from({ length: PER_CAMPUS }, (_, nth) => {
      const begin_at = workingHour(campus, now, FIRST_DAY + nth * EVERY_DAYS, 14)
      const end_at = begin_at + 4 * HOUR
      return {
        name: `Exam ${String(nth + 1).padStart(2, '0')}`,
        ip_range: `10.${campus.id}.0.0/16`,
        location: 'Cluster 1',
        max_people: 40,
        campus_id: campus.id,
        begin_at,
        end_at,
        validated_at: end_at < now ? Math.min(end_at + DAY, now) : null,
        created_at: Math.min(begin_at - 21 * DAY, toSecond(now - DAY)),
      }
    }),
  )
