import type { Reads } from './call.ts'

// Fields that many programs read.

export const USER_REF = { id: 'int', login: 'text', url: 'text' } as const satisfies Reads

export const USER = {
  ...USER_REF,
  email: 'text',
  first_name: 'text',
  last_name: 'text',
  usual_full_name: 'text',
  usual_first_name: 'text|null',
  displayname: 'text',
  kind: 'text',
  image: {
    link: 'text|null',
    versions: { large: 'text|null', medium: 'text|null', small: 'text|null', micro: 'text|null' },
  },
  'staff?': 'bool',
  correction_point: 'int',
  pool_month: 'text|null',
  pool_year: 'text|null',
  location: 'text|null',
  wallet: 'int',
  created_at: 'time',
  updated_at: 'time',
  'alumni?': 'bool',
  'active?': 'bool',
} as const satisfies Reads

export const CURSUS = { id: 'int', name: 'text', slug: 'text', created_at: 'time' } as const satisfies Reads

export const CURSUS_USER = {
  id: 'int',
  begin_at: 'time',
  end_at: 'time|null',
  grade: 'text|null',
  level: 'number',
  skills: [{ id: 'int', name: 'text', level: 'number' }],
  cursus_id: 'int',
  has_coalition: 'bool',
  blackholed_at: 'time|null',
  user: USER,
  cursus: CURSUS,
} as const satisfies Reads

export const PROJECTS_USER = {
  id: 'int',
  occurrence: 'int',
  final_mark: 'int|null',
  status: 'text',
  'validated?': 'bool|null',
  current_team_id: 'int|null',
  project: { id: 'int', name: 'text', slug: 'text', parent_id: 'int|null' },
  cursus_ids: 'list',
  marked_at: 'time|null',
  marked: 'bool',
  created_at: 'time',
  updated_at: 'time',
} as const satisfies Reads

/** Response of `/v2/me` and `/v2/users/:id`. */
export const FULL_USER = {
  ...USER,
  groups: [{ id: 'int', name: 'text' }],
  cursus_users: [CURSUS_USER],
  projects_users: [PROJECTS_USER],
  languages_users: [{ id: 'int', language_id: 'int', user_id: 'int', position: 'int' }],
  achievements: [{ id: 'int', name: 'text', description: 'text', tier: 'text', kind: 'text', image: 'text|null' }],
  titles: [{ id: 'int', name: 'text' }],
  titles_users: [{ id: 'int', user_id: 'int', title_id: 'int', selected: 'bool' }],
  campus: [{ id: 'int', name: 'text', time_zone: 'text', language: { id: 'int', name: 'text' }, users_count: 'int' }],
  campus_users: [{ id: 'int', user_id: 'int', campus_id: 'int', is_primary: 'bool' }],
} as const satisfies Reads

export const TEAM = {
  id: 'int',
  name: 'text',
  url: 'text',
  final_mark: 'int|null',
  project_id: 'int',
  created_at: 'time',
  updated_at: 'time',
  status: 'text',
  users: [{ ...USER_REF, leader: 'bool', occurrence: 'int', validated: 'bool', projects_user_id: 'int|null' }],
  'locked?': 'bool',
  'validated?': 'bool|null',
  'closed?': 'bool',
  repo_url: 'text|null',
  locked_at: 'time|null',
  closed_at: 'time|null',
  project_session_id: 'int',
} as const satisfies Reads

export const EVALUATION = {
  id: 'int',
  scale_id: 'int',
  comment: 'text|null',
  created_at: 'time',
  updated_at: 'time',
  feedback: 'text|null',
  final_mark: 'int|null',
  flag: { id: 'int', name: 'text', positive: 'bool', icon: 'text' },
  begin_at: 'time|null',
  correcteds: 'list|invisible',
  corrector: 'object|invisible',
  truant: 'object',
  filled_at: 'time|null',
  scale: { id: 'int', name: 'text', correction_number: 'int', duration: 'int' },
} as const satisfies Reads

export const EVENT = {
  id: 'int',
  name: 'text',
  description: 'text',
  location: 'text|null',
  kind: 'text',
  max_people: 'int|null',
  nbr_subscribers: 'int',
  begin_at: 'time',
  end_at: 'time',
  campus_ids: 'list',
  cursus_ids: 'list',
  created_at: 'time',
  updated_at: 'time',
} as const satisfies Reads

export const EXAM = {
  id: 'int',
  name: 'text',
  begin_at: 'time',
  end_at: 'time',
  location: 'text|null',
  max_people: 'int|null',
  nbr_subscribers: 'int',
  ip_range: 'text|null',
  projects: [{ id: 'int', name: 'text', slug: 'text' }],
} as const satisfies Reads

export const LOCATION = {
  id: 'int',
  begin_at: 'time',
  end_at: 'time|null',
  primary: 'bool',
  host: 'text',
  campus_id: 'int',
  user: USER_REF,
} as const satisfies Reads

export const COALITION = {
  id: 'int',
  name: 'text',
  slug: 'text',
  image_url: 'text|null',
  color: 'text',
  score: 'int',
  user_id: 'int|null',
} as const satisfies Reads

export const COALITIONS_USER = {
  id: 'int',
  coalition_id: 'int',
  user_id: 'int',
  score: 'int',
  rank: 'int',
  created_at: 'time',
  updated_at: 'time',
} as const satisfies Reads

export const SLOT = {
  id: 'int',
  begin_at: 'time',
  end_at: 'time',
  scale_team: 'null|object|invisible',
  user: 'object|invisible',
} as const satisfies Reads

export const HISTORIC = {
  id: 'int',
  scale_team_id: 'int|null',
  reason: 'text',
  sum: 'int',
  total: 'int',
  created_at: 'time',
  updated_at: 'time',
} as const satisfies Reads

export const POOL = {
  id: 'int',
  current_points: 'int',
  max_points: 'int',
  cursus_id: 'int',
  campus_id: 'int',
} as const satisfies Reads

export const FEEDBACK = {
  id: 'int',
  user: { id: 'int', login: 'text' },
  feedbackable_type: 'text',
  feedbackable_id: 'int',
  comment: 'text',
  rating: 'int',
  created_at: 'time',
  feedback_details: [{ id: 'int', rate: 'int', kind: 'text' }],
} as const satisfies Reads
