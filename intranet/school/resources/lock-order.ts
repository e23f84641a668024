/**
 * The order in which a transaction locks rows of several tables; of one table by their ids. Parents come before their records, since
 * who deletes a parent locks it before them. People come late: what is about a team or a close changes their points and accounts.
 */
export const LOCK_ORDER = [
  ...['topics', 'messages', 'votes'],
  ...['coalitions', 'coalitions_users', 'scores'],
  ...['events', 'exams', 'events_users', 'exams_users', 'waitlists'],
  ...['teams', 'teams_users', 'scale_teams', 'feedbacks', 'slots'],
  ...['closes', 'community_services', 'applications'],
  ...['users', 'campus_users', 'projects_users', 'experiences', 'cursus_users', 'pools'],
]
