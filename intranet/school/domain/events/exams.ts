import type { QueryInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/** Represents the exam that runs, else the next, else the last of a user (spec: accounts 16). */
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
    .where('waiting', '=', false)
    .orderBy(sql`begin_at <= ${now} and end_at > ${now}`, 'desc')
    .orderBy(sql`begin_at > ${now}`, 'desc')
    .orderBy(sql`case when begin_at > ${now} then begin_at end`)
    .orderBy('end_at', 'desc')
    .orderBy('exams.id')
    .limit(1)
    .executeTakeFirst()
