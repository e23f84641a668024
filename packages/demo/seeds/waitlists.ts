import type { World } from './world.ts'

/** Waitlists of the coming exams. */
export async function seedExamWaitlists(world: World): Promise<void> {
  await world.derive(
    'waitlists',
    `insert into waitlists (exam_id, created_at, updated_at)
     select id, created_at, created_at from exams where begin_at > to_timestamp(${world.now} / 1000.0) order by id`,
  )
  await world.run('update exams set waitlist_id = w.id from waitlists w where w.exam_id = exams.id')
}
