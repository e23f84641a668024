import type { Program } from './call.ts'
import {
  COALITIONS_USER,
  CURSUS_USER,
  EVALUATION,
  EVENT,
  EXAM,
  FULL_USER,
  HISTORIC,
  LOCATION,
  PROJECTS_USER,
  TEAM,
  USER,
  USER_REF,
} from './shapes.ts'

const kind = 'API clients in other languages'

/** A key that its models do not make optional and that is missing is an error there. */
const libft: Program = {
  name: 'hdoo42/libft-api',
  kind,
  roles: ['Advanced Tutor'],
  scopes: ['public', 'projects'],
  calls: [
    { send: 'GET /v2/users/{login}?per_page=1', reads: FULL_USER },
    {
      send: 'GET /v2/users/{user}/locations_stats?page=1&per_page=30&begin_at=2025-12-01&end_at=2026-03-03',
      reads: 'object',
    },
    { send: 'GET /v2/users/{user}/correction_point_historics?page=1&per_page=100', reads: [HISTORIC] },
    { send: 'GET /v2/campus/{campus}/locations?filter[active]=true&page=1&per_page=100', reads: [LOCATION] },
    { send: 'GET /v2/projects/{project}/scale_teams?page=1&per_page=100', reads: [EVALUATION], maybeNone: true },
    { send: 'GET /v2/projects/{project}/teams?page=1&per_page=100', reads: [TEAM] },
    { send: 'GET /v2/cursus/{cursus}/cursus_users?page=1&per_page=100', reads: [CURSUS_USER] },
    { send: 'GET /v2/campus/{campus}/cursus/{cursus}/exams?page=1', reads: [EXAM] },
    {
      send: 'POST /v2/scale_teams/multiple_create',
      body: { scale_teams: [{ begin_at: '2026-03-08T10:00:00Z', team_id: '{waiting.team}', user_id: '{stranger}' }] },
      reads: [EVALUATION],
      remembers: 'booked',
    },
    { send: 'DELETE /v2/scale_teams/{booked.0.id}' },
    {
      send: 'POST /v2/users/{user}/correction_points/add',
      body: { id: '{user}', reason: 'Thanks', amount: 1 },
      answers: 200,
      reads: USER_REF,
    },
  ],
}

/** The schemas refuse a user with a key that they do not know. */
const zodSchemas: Program = {
  name: '42-Lyon/42API-zod-schemas',
  kind,
  roles: ['Advanced Tutor', 'Transactions manager'],
  calls: [
    { send: 'GET /v2/users?page=1&per_page=100', reads: [USER] },
    { send: 'GET /v2/users/{login}', reads: FULL_USER },
    { send: 'GET /v2/projects_users?page=1&per_page=100', reads: [{ ...PROJECTS_USER, user: USER, teams: [TEAM] }] },
    {
      send: 'GET /v2/achievements_users?page=1&per_page=100',
      reads: [
        {
          id: 'int',
          achievement_id: 'int',
          user_id: 'int',
          login: 'text',
          nbr_of_success: 'int|null',
          url: 'text',
          created_at: 'time',
          updated_at: 'time',
        },
      ],
    },
    {
      send: 'GET /v2/transactions?page=1&per_page=100',
      reads: [
        {
          id: 'int',
          value: 'int',
          user_id: 'int',
          transactable_type: 'text',
          reason: 'text',
          user: USER_REF,
          options: 'list|null',
        },
      ],
    },
  ],
}

const goMoulinette: Program = {
  name: 'tristan-reig/ft-moulinette',
  kind,
  calls: [
    { send: 'GET /v2/users/{login}', reads: FULL_USER },
    { send: 'GET /v2/users/{login}/locations_stats?begin_at=2026-01-01&end_at=2026-03-02', reads: 'object' },
    {
      send: 'GET /v2/coalitions_users?filter[user_id]={coalitionMember}',
      reads: [COALITIONS_USER],
    },
    { send: 'GET /v2/campus/{campus}/events?filter[future]=true', reads: [EVENT] },
  ],
}

export const apiClients = [libft, zodSchemas, goMoulinette]
