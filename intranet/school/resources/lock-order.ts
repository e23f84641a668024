/**
 * Order in which a transaction locks rows of several tables, by id within a table. Parents come before their records,
 * since deleting a parent locks it first. Users come late, since teams and closes change their points and accounts.
 */
export const LOCK_ORDER = [
  ...['topics', 'messages', 'votes'],
  ...['coalitions', 'coalitions_users', 'scores'],
  ...['events', 'exams', 'events_users', 'exams_users', 'waitlists'],
  ...['teams', 'teams_users', 'scale_teams', 'feedbacks', 'slots'],
  ...['closes', 'community_services', 'applications'],
  ...['users', 'campus_users', 'projects_users', 'experiences', 'cursus_users', 'pools'],
]
