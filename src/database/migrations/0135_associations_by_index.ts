import { type AnyDatabase, run } from '../tables.ts'

/** Whatever is deleted or listed by an association is found by an index; where few rows have one, of those alone. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'create index application_roles_role on application_roles (role_id)',
    'create index attachments_language on attachments (language_id)',
    'create index campus_language on campus (language_id)',
    'create index cursus_skills_skill on cursus_skills (skill_id)',
    'create index scale_teams_flag on scale_teams (flag_id)',
    'create index topics_language on topics (language_id)',
    'create index achievements_title on achievements (title_id) where title_id is not null',
    'create index scale_teams_truant on scale_teams (truant_id) where truant_id is not null',
    'create index topics_locker on topics (locker_id) where locker_id is not null',
    'create index topics_pinner on topics (pinner_id) where pinner_id is not null',
  )
}
