import type { Selectable } from 'kysely'
import type { ProjectTables } from '../database/schema-projects.ts'

export type Evaluation = Selectable<ProjectTables['scale_teams']>
