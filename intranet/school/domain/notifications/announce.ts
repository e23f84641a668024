import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { checkText, ValidationErrors } from '@campus/engine/validation-errors'
import { type Actor, recordAudit } from '../../../services/audit/audit.ts'
import { notifyCampus } from '../../../services/notifications/notify.ts'
import { findRow } from '../rows.ts'

type Announcement = {
  readonly campusId: number
  readonly text: string
  readonly actor: Actor
  readonly now: Date
}

const MAX_TEXT = 500

/** Notifies the users of a campus. Returns their number and the name of the campus. Throws 422. */
export async function announce(tx: Handle, { campusId, text, actor, now }: Announcement) {
  const errors = new ValidationErrors()
  const said = checkText(errors, 'text', text, { required: true, maxLength: MAX_TEXT }) ?? ''
  errors.throwIfAny()
  const campus = await findRow(tx, 'campus', campusId, ['name'])
  if (!campus) throw unprocessable({ campus_id: ['must exist'] })
  const people = await notifyCampus(tx, campusId, said, now)
  const details = { campus: campus.name, people: String(people), text: said }
  await recordAudit(tx, now, { kind: 'announcement_sent', actor, subjectId: null, details })
  return { people, campus: campus.name }
}
