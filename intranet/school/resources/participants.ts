import { either, own } from '@campus/engine/rest/declare/access'
import type { Guard } from '@campus/engine/rest/declare/guard'
import { column, minutesFromNow, sql, table } from '@campus/engine/rest/declare/sql'
import { role } from './access.ts'
import { membersOfTeam } from './join-tables.ts'

/** The participants of an evaluation are shown this long before it begins (spec: evaluations 9). */
const SHOWN_MINUTES_BEFORE = 15

const begin = column('begin_at')
/** Condition: the participants are not shown yet. Written without `coalesce`, so that an index can find the rows. */
const isToCome = sql`(${begin} is not null and ${begin} > ${minutesFromNow(SHOWN_MINUTES_BEFORE)} and ${column('filled_at')} is null)`

const evaluation = table('scale_teams', '_other')
/** Condition on a row that references such an evaluation. */
const isOfEvaluationToCome = sql`exists (select 1 from ${evaluation} where ${evaluation.column('id')} = ${column('scale_team_id')} and ${evaluation.row(isToCome)})`

/** Programs of the school, which rely on fields that are hidden from students and their applications. */
export const SCHOOL = either(role('Basic Tutor'), role('Basic Staff'))

/** The corrector of a future evaluation: shown to the school and to the corrector. */
export const CORRECTOR_IS_SECRET: Guard = { hides: isToCome, except: either(SCHOOL, own('user_id')) }

/** Its corrected, and so its team: shown to the school and to them. */
export const CORRECTED_ARE_SECRET: Guard = { hides: isToCome, except: either(SCHOOL, own(membersOfTeam)) }

/** An evaluation as what points at it shows it, with both sides. */
export const BOTH_ARE_SECRET: Guard = { hides: isOfEvaluationToCome, except: SCHOOL }

/** The payment of a future evaluation reveals the corrected: shown to the school and to the payer. */
export const BOOKING_IS_SECRET: Guard = {
  hides: isOfEvaluationToCome,
  except: either(SCHOOL, own('user_data_id')),
}
