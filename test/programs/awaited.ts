/**
 * Addresses that programs call and that are not served yet. Whoever adds one strikes it here (a test says which), and the
 * calls to it must succeed from then on.
 */
export const AWAITED_ADDRESSES: readonly string[] = [
  'GET /v2/announcements',
  'GET /v2/blocs',
  'GET /v2/blocs/:id/bloc_deadlines',
  'GET /v2/campus/:id/broadcasts',
  'GET /v2/campus/:id/cursus/:id/exams',
  'GET /v2/campus/:id/products',
  'POST /v2/coalitions/:id/scores',
  'DELETE /v2/coalitions/:id/scores/:id',
  'GET /v2/cursus/:id/notions',
  'GET /v2/events/:id/feedbacks',
  'GET /v2/experiences',
  'GET /v2/levels',
  'GET /v2/notions/:id/subnotions',
  'GET /v2/offers',
  'GET /v2/pools',
  'GET /v2/pools/:id',
  'GET /v2/pools/:id/balances',
  'POST /v2/pools/:id/points/add',
  'DELETE /v2/pools/:id/points/remove',
  'GET /v2/tags/:id/notions',
  'GET /v2/topics/unread',
  'GET /v2/transactions',
  'GET /v2/user/:id/scale_teams/as_corrector',
  'GET /v2/users/:id/correction_point_historics',
  'POST /v2/users/:id/correction_points/add',
  'DELETE /v2/users/:id/correction_points/remove',
  'GET /v2/users/:id/locations_stats',
  'GET /v2/users/:id/transactions',
  'POST /v2/votes',
  'DELETE /v2/votes/:id',
]

/** What else calls of programs need and do not find yet (`awaits`): whoever adds it strikes it here. */
export const AWAITED: readonly string[] = [
  'a blank before the offset of a time',
  'a month of one digit',
  'fields of achievements_users',
  'filter visible of exams',
  'group of groups_users',
  'JSON without the wrapper',
  'minimum_mark of sessions in projects',
  'one nested record without an index, ids as one text',
  'page 0',
  'quotes around a time',
  'score and rank of coalitions_users',
  'search of projects',
  'search of topics',
  'team of teams_users',
]
