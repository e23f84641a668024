import type { Selectable } from 'kysely'
import type { ScaleTeams } from '../../../schema.ts'

export type Evaluation = Omit<Selectable<ScaleTeams>, 'internship_id' | 'ip' | 'token'>
