import { sql } from 'kysely'
import type { ActionInput, QueryInput } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'

type RegistrationValues = { readonly exam_id: number; readonly user_id: number }

/** Registers a user for an exam that is not over and has a place left. */
export async function registerForExam(tx: Handle, { values, now }: ActionInput<RegistrationValues>): Promise<number> {
  const { exam_id, user_id } = values
  await lockExam(tx, exam_id)
  const { id } = await tx.kysely
    .insertInto('exams_users')
    .values({ exam_id, user_id, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await refuseIfClosed(tx, exam_id, now)
  return id
}

/** Changes who is registered, or for which exam. */
export async function updateExamRegistration(
  tx: Handle,
  { id, values, now }: ActionInput<Partial<RegistrationValues>>,
): Promise<number> {
  const { exam_id } = values
  if (exam_id !== undefined) await lockExam(tx, exam_id)
  const before = await tx.kysely
    .selectFrom('exams_users')
    .select('exam_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await tx.kysely
    .updateTable('exams_users')
    .set({ ...values, updated_at: now })
    .where('id', '=', id)
    .execute()
  if (exam_id !== undefined && exam_id !== before.exam_id) await refuseIfClosed(tx, exam_id, now)
  return id
}

/** Which exam a user is to sit, sits or sat: the one that runs, else the next, else the last (decisions §8). */
export async function readExamStatus(handle: Handle, { id, now, render }: QueryInput): Promise<string> {
  const exam = await findExamOf(handle, id, now)
  if (!exam) return JSON.stringify({ status: 'none', exam: null, begin_at: null, end_at: null })
  const { begin_at, end_at } = exam
  const status = begin_at > now ? 'registered' : end_at > now ? 'in_progress' : 'finished'
  const record = await render('exams', 'record', exam.id)
  return `{"status":"${status}","exam":${record},"begin_at":${JSON.stringify(begin_at)},"end_at":${JSON.stringify(end_at)}}`
}

const findExamOf = (handle: Handle, userId: number, now: Date) =>
  handle.kysely
    .selectFrom('exams')
    .innerJoin('exams_users', 'exams_users.exam_id', 'exams.id')
    .select(['exams.id', 'begin_at', 'end_at'])
    .where('user_id', '=', userId)
    .orderBy(sql`begin_at <= ${now} and end_at > ${now}`, 'desc')
    .orderBy(sql`begin_at > ${now}`, 'desc')
    .orderBy(sql`case when begin_at > ${now} then begin_at end`)
    .orderBy('end_at', 'desc')
    .orderBy('exams.id')
    .limit(1)
    .executeTakeFirst()

/** Others who want a place wait here. */
async function lockExam(tx: Handle, id: number): Promise<void> {
  await tx.kysely.selectFrom('exams').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Judges after the registration was written: whoever has a place already hears of that and not of a full exam. */
async function refuseIfClosed(tx: Handle, id: number, now: Date): Promise<void> {
  const { max_people, end_at, taken } = await tx.kysely
    .selectFrom('exams')
    .select(({ selectFrom }) => [
      'max_people',
      'end_at',
      selectFrom('exams_users')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('exam_id', '=', 'exams.id')
        .as('taken'),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (end_at <= now) throw unprocessable({ exam_id: ['is over'] })
  if (max_people !== null && Number(taken) > max_people) throw unprocessable({ exam_id: ['is full'] })
}
