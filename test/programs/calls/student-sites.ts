import type { Program } from './call.ts'
import {
  COALITION,
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

const kind = 'sites and bots of students'

const charts: Program = {
  name: '42Charts/42-api-aggregator',
  kind,
  roles: ['Basic Staff'],
  calls: [
    {
      send: 'GET /v2/achievements?page[number]=1&page[size]=100',
      reads: [{ id: 'int', name: 'text', tier: 'text', kind: 'text' }],
    },
    {
      send: 'GET /v2/apps?page[number]=1&page[size]=100',
      reads: [{ id: 'int', name: 'text', owner: 'object', rate_limit: 'int' }],
    },
    { send: 'GET /v2/campus?page[number]=1&page[size]=100', reads: [{ id: 'int', name: 'text', users_count: 'int' }] },
    { send: 'GET /v2/coalitions?page[number]=1&page[size]=100', reads: [COALITION] },
    { send: 'GET /v2/cursus?page[number]=1&page[size]=100', reads: [{ id: 'int', name: 'text', slug: 'text' }] },
    {
      send: 'GET /v2/levels?page[number]=1&page[size]=100',
      reads: [{ id: 'int', lvl: 'int', xp: 'int', cursus_id: 'int' }],
    },
    { send: 'GET /v2/locations?page[number]=1&page[size]=100', reads: [LOCATION] },
    {
      send: 'GET /v2/projects?page[number]=1&page[size]=100',
      reads: [{ id: 'int', name: 'text', slug: 'text', cursus: 'list', campus: 'list' }],
    },
    { send: 'GET /v2/users?page[number]=1&page[size]=100', reads: [{ id: 'int', login: 'text' }] },
    { send: 'GET /v2/users/{user}', reads: FULL_USER },
    {
      send: 'GET /v2/coalitions_users?page[number]=1&page[size]=100',
      reads: [COALITIONS_USER],
    },
    { send: 'GET /v2/cursus_users?page[number]=1&page[size]=100', reads: [CURSUS_USER] },
    {
      send: 'GET /v2/quests_users?page[number]=1&page[size]=100',
      reads: [{ id: 'int', quest_id: 'int', validated_at: 'time|null', user: USER_REF, quest: 'object' }],
    },
  ],
}

const gg: Program = {
  name: '42organization/42gg.server.dev.v2',
  kind,
  calls: [
    { as: 'person', send: 'GET /v2/me', reads: { login: 'text', email: 'text', image: { link: 'text|null' } } },
    { send: 'GET /v2/users/{user}/correction_point_historics?page[size]=100&sort=-created_at', reads: [HISTORIC] },
    { send: 'GET /v2/campus/{campus}/events?page=1&per_page=100', reads: [EVENT] },
  ],
}

/** Shapes and order of calls as many sites have them: who is on campus, the ranking of a campus, a profile, the next exam. */
const dashboards: Program = {
  name: 'dashboards, rankings and peer finders',
  kind,
  calls: [
    {
      send: 'GET /v2/cursus_users?filter[campus_id]={campus}&sort=-level&per_page=100&page=1&filter[cursus_id]={cursus}',
      reads: [CURSUS_USER],
    },
    {
      send: 'GET /v2/cursus_users?filter%5Bcampus_id%5D={campus}&filter%5Bcursus_id%5D={cursus}&range%5Blevel%5D=1,100&page=1&per_page=100',
      reads: [CURSUS_USER],
    },
    {
      send: 'GET /v2/cursus_users?filter[campus_id]={campus}&filter[active]=true&page[size]=300&sort=-level&page=1',
      reads: [CURSUS_USER],
    },
    {
      send: 'GET /v2/cursus/{cursus}/users?page[number]=1&filter[primary_campus_id]={campus}&sort=-updated_at',
      reads: [USER],
    },
    {
      send: 'GET /v2/cursus/{poolSlug}/users?filter[primary_campus_id]={campus}&filter[pool_year]={poolYear}&filer[pool_month]=july&per_page=100&page=1',
      reads: [USER],
    },
    { send: 'GET /v2/campus/{campus}/users?filter[login]={login}', reads: [USER] },
    {
      send: 'GET /v2/users?filter[primary_campus_id]={campus}&per_page=100&page=1',
      reads: [{ image: { link: 'text|null' } }],
    },
    { send: 'GET /v2/users/{login}/coalitions', reads: [COALITION], maybeNone: true },
    { send: 'GET /v2/users/{login}/projects_users?per_page=100', reads: [{ ...PROJECTS_USER, teams: [TEAM] }] },
    {
      send: 'GET /v2/users/{login}/quests_users',
      reads: [{ id: 'int', validated_at: 'time|null', quest: { id: 'int', name: 'text', slug: 'text' } }],
      maybeNone: true,
    },
    { send: 'GET /v2/users/{login}/scale_teams/as_corrector', reads: [EVALUATION] },
    { send: 'GET /v2/projects_users?filter[project_id]={project}&filter[status]=finished', reads: [PROJECTS_USER] },
    {
      send: 'GET /v2/projects_users?filter[campus]={campus}&filter[marked]=true&range[created_at]=2020-1-01T00%3A00%3A00.000Z,3000-01-01T00%3A00%3A00.000Z&per_page=100&page=1',
      reads: [PROJECTS_USER],
    },
    {
      send: 'GET /v2/projects/{project}/projects_users?filter[campus]={campus}&filter[status]=in_progress',
      reads: [PROJECTS_USER],
      maybeNone: true,
    },
    {
      send: 'GET /v2/scale_teams?filter[filled]=true&filter[cursus_id]={cursus}&filter[campus_id]={campus}&range[begin_at]=2010-01-01T00:00:00.000Z,2026-02-28T15:00:00.000Z&page[size]=100&page[number]=1',
      reads: [EVALUATION],
    },
    { send: 'GET /v2/campus/{campus}/events/', reads: [EVENT] },
    {
      send: 'GET /v2/campus/{campus}/events?range[updated_at]="2020-01-01T00:00:00.000Z","2026-03-02T10:00:00.000Z"',
      reads: [EVENT],
    },
    {
      send: 'GET /v2/campus/{campus}/cursus/{cursus}/exams?range[updated_at]=2010-01-01T00:00:00.000Z,2026-03-02T10:00:00.000Z&sort=created_at',
      reads: [EXAM],
    },
    {
      send: 'GET /v2/exams?filter[visible]=true&page=1&per_page=100',
      reads: [EXAM],
    },
    { send: 'GET /v2/campus/{campus}/users?page[size]=100&page[number]=0', awaits: 'page 0', reads: [USER] },
    { send: 'GET /v2/users/{login}/locations_stats?&begin_at=2025-01-01&end_at=2026-12-31', reads: 'object' },
  ],
}

export const studentSites = [charts, gg, dashboards]
