import { type AnyDatabase, run } from '../tables.ts'

/** What these columns of other people's records and of other families' name is not deleted along with them. */
const IN_USE: readonly (readonly [table: string, column: string, parent: string])[] = [
  ['accreditations_users', 'accreditation_id', 'accreditations'],
  ['achievements_users', 'achievement_id', 'achievements'],
  ['anti_grav_units_users', 'anti_grav_unit_id', 'anti_grav_units'],
  ['achievements_campus', 'campus_id', 'campus'],
  ['campus_users', 'campus_id', 'campus'],
  ['dashes', 'campus_id', 'campus'],
  ['events_campus', 'campus_id', 'campus'],
  ['exams', 'campus_id', 'campus'],
  ['locations', 'campus_id', 'campus'],
  ['project_sessions', 'campus_id', 'campus'],
  ['projects_campus', 'campus_id', 'campus'],
  ['quests', 'campus_id', 'campus'],
  ['tags_users', 'campus_id', 'campus'],
  ['coalitions_users', 'coalition_id', 'coalitions'],
  ['accreditations', 'cursus_id', 'cursus'],
  ['cursus_users', 'cursus_id', 'cursus'],
  ['dashes', 'cursus_id', 'cursus'],
  ['events_cursus', 'cursus_id', 'cursus'],
  ['exams_cursus', 'cursus_id', 'cursus'],
  ['partnerships', 'cursus_id', 'cursus'],
  ['project_sessions', 'cursus_id', 'cursus'],
  ['projects_cursus', 'cursus_id', 'cursus'],
  ['quests', 'cursus_id', 'cursus'],
  ['tags_cursus', 'cursus_id', 'cursus'],
  ['topics_cursus', 'cursus_id', 'cursus'],
  ['dashes_users', 'dash_id', 'dashes'],
  ['events_users', 'event_id', 'events'],
  ['exams_users', 'exam_id', 'exams'],
  ['expertises_users', 'expertise_id', 'expertises'],
  ['scales_flags', 'flag_id', 'flags'],
  ['groups_users', 'group_id', 'groups'],
  ['languages_users', 'language_id', 'languages'],
  ['scales_languages', 'language_id', 'languages'],
  ['partnerships_users', 'partnership_id', 'partnerships'],
  ['exams_projects', 'project_id', 'projects'],
  ['projects_users', 'project_id', 'projects'],
  ['answers', 'question_id', 'questions'],
  ['quests_users', 'quest_id', 'quests'],
  ['cursus_skills', 'skill_id', 'skills'],
  ['cursus_users_skills', 'skill_id', 'skills'],
  ['partnerships_skills', 'skill_id', 'skills'],
  ['project_sessions_skills', 'skill_id', 'skills'],
  ['questions_skills', 'skill_id', 'skills'],
  ['tags_users', 'tag_id', 'tags'],
  ['topics_tags', 'tag_id', 'tags'],
  ['scale_teams', 'team_id', 'teams'],
  ['events_themes', 'theme_id', 'themes'],
  ['titles_users', 'title_id', 'titles'],
]

export async function up(db: AnyDatabase): Promise<void> {
  for (const [table, column, parent] of IN_USE) {
    const name = `${table}_${column}_fkey`
    await run(
      db,
      `alter table ${table} drop constraint ${name}`,
      `alter table ${table} add constraint ${name} foreign key (${column}) references ${parent}`,
    )
  }
}
