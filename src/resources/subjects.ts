import type { TagGroup } from '../rest/openapi/document.ts'

/** What the resources are about, in the order in which people look for it. Each stands in one place. */
export const SUBJECTS: readonly TagGroup[] = [
  { name: 'Access', tags: ['oauth', 'apps', 'roles', 'roles_users'] },
  {
    name: 'People',
    tags: [
      ...['users', 'groups', 'groups_users', 'titles', 'titles_users', 'achievements', 'achievements_users'],
      ...['expertises', 'expertises_users', 'languages', 'languages_users', 'accreditations', 'accreditations_users'],
      ...['journals', 'patronages', 'closes', 'community_services', 'anti_grav_units', 'anti_grav_units_users'],
    ],
  },
  {
    name: 'Campuses',
    tags: [
      ...['campus', 'campus_users', 'locations', 'clusters', 'events', 'events_users', 'waitlists', 'themes'],
      ...['events_themes', 'announcements', 'broadcasts', 'products', 'campus_products', 'commands'],
    ],
  },
  {
    name: 'Cursus',
    tags: [
      ...['cursus', 'cursus_users', 'skills', 'cursus_users_skills', 'levels', 'experiences', 'quests', 'quests_users'],
      ...['exams', 'exams_users', 'certificates', 'certificates_users'],
    ],
  },
  {
    name: 'Projects',
    tags: [
      ...['projects', 'projects_users', 'project_data', 'project_sessions', 'project_sessions_rules'],
      ...['params_project_sessions_rules', 'project_sessions_skills', 'rules', 'params', 'teams', 'teams_users'],
      ...['team_members', 'teams_uploads', 'attachments', 'files'],
    ],
  },
  {
    name: 'Evaluations',
    tags: [
      ...['scale_teams', 'scales', 'sections', 'questions', 'questions_skills', 'answers', 'flags', 'slots'],
      ...['evaluations', 'uploads', 'feedbacks', 'feedback_details', 'correction_point_historics', 'pools'],
      ...['balances', 'transactions'],
    ],
  },
  {
    name: 'Coalitions',
    tags: ['blocs', 'bloc_deadlines', 'coalitions', 'coalitions_users', 'scores', 'squads', 'squads_users'],
  },
  {
    name: 'Material and forum',
    tags: [
      ...['notions', 'subnotions', 'subnotion_attachments', 'tags', 'tags_users', 'topics', 'messages'],
      ...['opening_messages', 'votes', 'dashes', 'dashes_users', 'flashes', 'flash_users'],
    ],
  },
  {
    name: 'Companies',
    tags: [...['offers', 'offers_users', 'internships', 'partnerships', 'partnerships_skills', 'partnerships_users']],
  },
  { name: 'The service', tags: ['endpoints', 'deliveries', 'callbacks', 'changelogs', 'service'] },
]
