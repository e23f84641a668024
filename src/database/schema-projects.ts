import type { ColumnType, Generated } from 'kysely'

/** The tables of projects, teams and evaluations that the actions of the domain write statements about. */
export type ProjectTables = {
  flags: { id: Generated<number>; positive: boolean }
  projects: { id: Generated<number>; slug: string; parent_id: number | null }
  project_sessions: ProjectSessions
  projects_users: ProjectsUsers
  scale_teams: ScaleTeams
  scales: Scales
  slots: Slots
  teams: Teams
  teams_users: TeamsUsers
}

type OptionalTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type RequiredTime = ColumnType<Date, Date | string>
type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>

type ProjectSessions = {
  id: Generated<number>
  project_id: number
  campus_id: number | null
  cursus_id: number | null
  solo: boolean | null
  max_people: number | null
  minimum_mark: number | null
}

type ProjectsUsers = {
  id: Generated<number>
  user_id: number
  project_id: number
  occurrence: Generated<number>
  final_mark: number | null
  status: Generated<string>
  validated: boolean | null
  current_team_id: number | null
  marked_at: OptionalTime
  created_at: DefaultTime
  updated_at: DefaultTime
}

type Scales = {
  id: Generated<number>
  evaluation_id: number
  is_primary: boolean
  correction_number: number
  duration: number
}

type ScaleTeams = {
  id: Generated<number>
  scale_id: number
  team_id: number
  user_id: number | null
  begin_at: OptionalTime
  comment: string | null
  feedback: string | null
  feedback_rating: number | null
  final_mark: number | null
  flag_id: Generated<number>
  truant_id: number | null
  filled_at: OptionalTime
  created_at: DefaultTime
  updated_at: DefaultTime
}

type Slots = {
  id: Generated<number>
  user_id: number
  begin_at: RequiredTime
  end_at: RequiredTime
  scale_team_id: number | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

type Teams = {
  id: Generated<number>
  name: string
  project_id: number
  project_session_id: number
  final_mark: number | null
  validated: boolean | null
  status: Generated<string>
  terminating_at: OptionalTime
  deadline_at: OptionalTime
  repo_url: string | null
  repo_uuid: string
  locked_at: OptionalTime
  closed_at: OptionalTime
  created_at: DefaultTime
  updated_at: DefaultTime
}

type TeamsUsers = {
  id: Generated<number>
  team_id: number
  user_id: number
  projects_user_id: number | null
  leader: Generated<boolean>
  validated: Generated<boolean>
  occurrence: Generated<number>
  created_at: DefaultTime
  updated_at: DefaultTime
}
