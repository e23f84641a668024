import { either, own } from '@campus/engine/rest/declare/access'
import type { Guard } from '@campus/engine/rest/declare/guard'
import { column, minutesFromNow, sql, table } from '@campus/engine/rest/declare/sql'
import { role } from './access.ts'
import { membersOfTeam } from './join-tables.ts'

/** Participants are shown this long before the begin (spec: evaluations 9). */
const SHOWN_MINUTES_BEFORE = 15

const begin = column('begin_at')
/** Condition that the participants are hidden. Has no `coalesce`, so that an index can serve it. */
const isToCome = sql`(${begin} is not null and ${begin} > ${minutesFromNow(SHOWN_MINUTES_BEFORE)} and ${column('filled_at')} is null)`

const evaluation = table('scale_teams', '_other')
const isOfEvaluationToCome = sql`exists (select 1 from ${evaluation} where ${evaluation.column('id')} = ${column('scale_team_id')} and ${evaluation.row(isToCome)})`

/** Programs of the school, which rely on fields hidden from students. */
export const SCHOOL = either(role('Basic Tutor'), role('Basic Staff'))

/** Hides the corrector of a future evaluation from all but the school and the corrector. */
export const CORRECTOR_IS_SECRET: Guard = { hides: isToCome, except: either(SCHOOL, own('user_id')) }

/** Hides the corrected and their team from all but the school and the corrected. */
export const CORRECTED_ARE_SECRET: Guard = { hides: isToCome, except: either(SCHOOL, own(membersOfTeam)) }

/** Hides both sides in records that refer to the evaluation. */
export const BOTH_ARE_SECRET: Guard = { hides: isOfEvaluationToCome, except: SCHOOL }

/** A payment reveals the corrected, so only the school and the payer see it. */
export const BOOKING_IS_SECRET: Guard = {
  hides: isOfEvaluationToCome,
  except: either(SCHOOL, own('user_data_id')),
}
