import type { Selectable } from 'kysely'
import type { ScaleTeams } from '../../../schema.ts'

/** An evaluation, as far as booking and filling it go. */
export type Evaluation = Omit<Selectable<ScaleTeams>, 'internship_id' | 'ip' | 'token'>
