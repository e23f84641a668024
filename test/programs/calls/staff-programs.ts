import type { Program } from './call.ts'
import {
  COALITION,
  COALITIONS_USER,
  CURSUS_USER,
  EVALUATION,
  FEEDBACK,
  LOCATION,
  POOL,
  PROJECTS_USER,
  TEAM,
  USER,
  USER_REF,
} from './shapes.ts'

const kind = 'programs of a campus staff'
const PAGE = 'page[number]=1&page[size]=100'
const SINCE = 'range[updated_at]=2020-01-01T00:00:00.000Z,2026-03-02T10:00:00.000Z'

const coalitionSystem: Program = {
  name: 'codam-coding-college/coalition-system',
  kind,
  roles: ['Advanced Staff', 'Advanced Tutor'],
  scopes: ['public', 'projects'],
  calls: [
    {
      send: `GET /v2/cursus/{cursus}/projects?${SINCE}&${PAGE}`,
      reads: [
        {
          id: 'int',
          name: 'text',
          slug: 'text',
          difficulty: 'int|null',
          exam: 'bool',
          created_at: 'time',
          updated_at: 'time',
        },
      ],
    },
    { send: `GET /v2/campus/{campus}/users?${SINCE}&${PAGE}`, reads: [{ ...USER, anonymize_date: 'text|null' }] },
    { send: `GET /v2/cursus/{cursus}/cursus_users?filter[campus_id]={campus}&${SINCE}&${PAGE}`, reads: [CURSUS_USER] },
    { send: `GET /v2/groups?${PAGE}`, reads: [{ id: 'int', name: 'text' }] },
    { send: `GET /v2/groups/{group}?${SINCE}`, reads: { id: 'int', name: 'text' } },
    {
      send: `GET /v2/groups/{group}/groups_users?${PAGE}`,
      reads: [{ id: 'int', user_id: 'int', group: { id: 'int', name: 'text' } }],
    },
    { send: 'GET /v2/pools', reads: [POOL] },
    {
      send: 'GET /v2/pools/{pool.id}/balances',
      reads: [{ id: 'int', pool_id: 'int', begin_at: 'time', end_at: 'time|null' }],
    },
    {
      send: `GET /v2/blocs?filter[campus_id]={campus}&filter[cursus_id]={cursus}&${SINCE}&${PAGE}`,
      reads: [{ id: 'int', campus_id: 'int', cursus_id: 'int', created_at: 'time', coalitions: [COALITION] }],
    },
    {
      send: `GET /v2/blocs/1/bloc_deadlines?${SINCE}&${PAGE}`,
      reads: [{ id: 'int', bloc_id: 'int', begin_at: 'time', end_at: 'time', coalition_id: 'int|null' }],
    },
    {
      send: `GET /v2/coalitions_users?filter[coalition_id]={coalition}&${SINCE}&${PAGE}`,
      reads: [COALITIONS_USER],
    },
    { send: 'GET /v2/coalitions/{coalition}', reads: { id: 'int', score: 'int', name: 'text' } },
    {
      send: 'POST /v2/coalitions/{coalition}/scores',
      body: {
        score: {
          reason: '[CCS-1-1-7] A good deed',
          value: 42,
          coalitions_user_id: null,
          scoreable_type: null,
          scoreable_id: null,
          calculation_id: null,
        },
      },
      reads: { id: 'int', value: 'int', coalition_id: 'int' },
      remembers: 'score',
    },
    { send: 'DELETE /v2/coalitions/{coalition}/scores/{score.id}', body: {} },
    {
      send: `GET /v2/campus/{campus}/locations?filter[inactive]=true&page[size]=50&sort=end_at&range[end_at]=2025-12-01T00:00:00.000Z,2026-03-02T10:00:00.000Z`,
      reads: [LOCATION],
    },
    { send: 'GET /v2/locations/?filter[id]={location}', reads: [LOCATION] },
    {
      send: `GET /v2/teams?filter[primary_campus]={campus}&filter[active_cursus]={cursus}&filter[with_mark]=true&page[size]=100&sort=-updated_at`,
      reads: [TEAM],
    },
    { send: 'GET /v2/teams/?filter[id]={markedTeam}', reads: [TEAM], remembers: 'teams' },
    { send: 'GET /v2/projects_users/{projectsUser}', reads: { ...PROJECTS_USER, user: USER_REF } },
    {
      send: `GET /v2/scale_teams?filter[campus_id]={campus}&filter[cursus_id]={cursus}&filter[future]=false&range[filled_at]=2024-01-01T00:00:00,2026-03-02T10:00:00.000Z&page[size]=25&sort=-filled_at`,
      reads: [{ ...EVALUATION, team: TEAM, feedbacks: [{ id: 'int', rating: 'int' }] }],
    },
    {
      send: 'POST /v2/titles_users',
      body: { user_id: '{user}', title_id: '{title}' },
      reads: { id: 'int' },
      remembers: 'titled',
    },
    {
      send: 'PATCH /v2/titles_users/{titled.id}',
      body: { title_id: '{otherTitle}' },
    },
    {
      send: 'POST /v2/coalitions_users',
      body: { coalitions_user: { coalition_id: '{coalition}', user_id: '{newcomer}' } },
      reads: { id: 'int', coalition_id: 'int', user_id: 'int' },
      remembers: 'joined',
    },
    { send: 'PATCH /v2/coalitions_users/{joined.id}', body: { coalitions_user: { coalition_id: '{otherCoalition}' } } },
    { send: 'PATCH /v2/cursus_users/{cursusUser}', body: { cursus_user: { has_coalition: true } } },
  ],
}

const evalPointBalancer: Program = {
  name: 'codam-coding-college/eval-point-balancer',
  kind,
  roles: ['Advanced Tutor'],
  scopes: ['public', 'projects'],
  calls: [
    { send: 'GET /v2/users/{user}', reads: { ...USER_REF, correction_point: 'int', email: 'text' } },
    { send: 'GET /v2/users/{login}', reads: { ...USER_REF, correction_point: 'int', usual_first_name: 'text|null' } },
    {
      send: `GET /v2/cursus/{cursus}/users?filter[primary_campus_id]={campus}&${PAGE}`,
      reads: [{ login: 'text', kind: 'text', 'active?': 'bool', correction_point: 'int' }],
    },
    { send: 'GET /v2/pools/{pool.id}', reads: POOL },
    {
      send: 'DELETE /v2/users/{login}/correction_points/remove',
      body: { amount: 1, reason: 'Provided points to the pool.' },
      answers: 200,
    },
    { send: 'POST /v2/pools/{pool.id}/points/add', body: { points: 1 }, answers: 200, reads: POOL },
    { send: 'DELETE /v2/pools/{pool.id}/points/remove', body: { points: 1 }, answers: 200, reads: POOL },
  ],
}

const peerBot: Program = {
  name: 'codam-coding-college/peerpp-bot',
  kind,
  roles: ['Advanced Tutor', 'Advanced Staff'],
  scopes: ['public', 'projects'],
  calls: [
    { send: 'GET /v2/users/{login}', reads: { ...USER, cursus_users: [CURSUS_USER], campus_users: 'list' } },
    {
      send: 'GET /v2/users/{grouped}/groups_users',
      reads: [{ id: 'int', group: { id: 'int' } }],
    },
    {
      send: 'GET /v2/projects/{project}?filter[cursus_id]={cursus}',
      reads: { id: 'int', slug: 'text', project_sessions: [{ id: 'int', cursus_id: 'int|null', minimum_mark: 'int' }] },
    },
    {
      send: `GET /v2/users/{user}/scale_teams?filter[future]=true&${PAGE}`,
      reads: [{ id: 'int', scale_id: 'int', created_at: 'time', team: TEAM, correcteds: [USER_REF] }],
      maybeNone: true,
    },
    {
      send: `GET /v2/projects/{evaluated.project}/scale_teams?filter[scale_id]={evaluated.scale}&filter[team_id]={evaluated.team}&${PAGE}`,
      reads: [{ corrector: USER_REF, team: { 'validated?': 'bool|null' } }],
    },
    {
      send: 'POST /v2/scale_teams/multiple_create',
      body: {
        scale_teams: [
          {
            begin_at: '2026-03-09T10:00:00.000Z',
            scale_id: '{waiting.scale}',
            team_id: '{waiting.team}',
            user_id: '{stranger}',
          },
        ],
      },
      reads: [{ ...EVALUATION, correcteds: [USER_REF], corrector: USER_REF }],
      remembers: 'booked',
    },
    { send: 'DELETE /v2/scale_teams/{booked.0.id}', body: {} },
    { send: 'DELETE /v2/pools/{pool.id}/points/remove', body: { points: 1 }, answers: 200 },
    { send: 'POST /v2/users/{login}/correction_points/add', body: { reason: 'Refund' }, answers: 200 },
    {
      send: 'GET /v2/users/{user}/teams_users?sort=-created_at',
      reads: [{ id: 'int', team: { project_id: 'int', status: 'text' } }],
    },
    {
      send: 'POST /v2/groups_users',
      body: { groups_user: { group_id: '{group}', user_id: '{newcomer}' } },
      reads: { id: 'int' },
    },
    { send: `GET /v2/user/{user}/scale_teams/as_corrector?${PAGE}`, reads: [EVALUATION] },
  ],
}

const codamHero: Program = {
  name: 'codam-coding-college/codamhero-v2',
  kind,
  roles: ['Advanced Staff', 'Advanced Tutor'],
  scopes: ['public', 'projects'],
  calls: [
    { send: `GET /v2/campus/{campus}/users?${SINCE}&${PAGE}`, reads: [USER] },
    {
      send: `GET /v2/cursus_users?filter[campus_id]={campus}&filter[cursus_id]={cursus},{pool.cursus}&${SINCE}&${PAGE}`,
      reads: [CURSUS_USER],
    },
    {
      send: `GET /v2/cursus_users?filter[id]={cursusUser}&${PAGE}`,
      reads: [{ id: 'int', level: 'number', grade: 'text|null' }],
    },
    {
      send: `GET /v2/projects_users?filter[campus]={campus}&filter[cursus]={cursus},{pool.cursus}&${SINCE}&${PAGE}`,
      reads: [{ ...PROJECTS_USER, user: USER_REF }],
    },
    {
      send: `GET /v2/campus/{campus}/locations?range[begin_at]=2026-02-27T10:00:00.000Z,2026-03-02T10:00:00.000Z&${PAGE}`,
      reads: [LOCATION],
    },
    {
      send: `GET /v2/groups/{group}/groups_users?${PAGE}`,
      reads: [{ id: 'int', user_id: 'int', group: { id: 'int', name: 'text' } }],
    },
    {
      send: `GET /v2/cursus/{cursus}/projects?${PAGE}`,
      reads: [{ id: 'int', name: 'text', slug: 'text', exam: 'bool' }],
    },
  ],
}

const coalitionRanks: Program = {
  name: 'codam-coding-college/coalition-ranks',
  kind,
  roles: ['Advanced Staff'],
  calls: [
    {
      send: 'GET /v2/coalitions/{coalition}/coalitions_users?sort=user_id&page=1&per_page=100',
      reads: [{ user_id: 'int', rank: 'int' }],
    },
    { send: 'GET /v2/titles/{heldTitle}/titles_users?page=1&per_page=100', reads: [{ id: 'int', user_id: 'int' }] },
    {
      send: 'POST /v2/titles_users?titles_user[title_id]={title}&titles_user[user_id]={newcomer}',
      reads: { id: 'int' },
      remembers: 'given',
    },
    { send: 'DELETE /v2/titles_users/{given.id}' },
    {
      send: 'GET /v2/campus/{campus}/users?range[login]=4,zzz&sort=login&page=1&per_page=100',
      reads: [{ id: 'int', login: 'text' }],
    },
  ],
}

const watchers: Program = {
  name: '42-Lyon/watchers-app',
  kind,
  roles: ['Transactions manager', 'Basic Staff'],
  calls: [
    {
      send: "GET /v2/users/{login}/transactions?filter[reason]=Surveillance d'Exam&per_page=100",
      reads: [{ id: 'int', value: 'int', user_id: 'int', reason: 'text' }],
      maybeNone: true,
    },
    {
      send: 'GET /v2/exams?filter[campus_id]={campus}&filter[future]=true&sort=begin_at',
      reads: [{ id: 'int', begin_at: 'time' }],
      maybeNone: true,
    },
    {
      send: 'GET /v2/users/{login}',
      reads: { ...USER_REF, groups: [{ id: 'int', name: 'text' }], image: { link: 'text|null' } },
    },
  ],
}

/** Requests of scripts around the staff's client `intra.py`, with times as Python writes them. */
const pythonScripts: Program = {
  name: 'intra.py and scripts around it',
  kind,
  roles: ['Basic Staff', 'Advanced Tutor'],
  calls: [
    { send: 'GET /v2/cursus?filter[slug]={cursusSlug}', reads: [{ id: 'int' }] },
    {
      send: 'GET /v2/campus_users?filter[campus_id]={campus}&page=1&per_page=100',
      reads: [{ id: 'int', user_id: 'int' }],
    },
    {
      send: 'GET /v2/cursus/{cursus}/cursus_users?filter[campus_id]={campus}&range[begin_at]=2019-10-01T00:00:00Z,2026-09-30T23:59:59Z&range[blackholed_at]=2025-01-01 00:00:00.123456,2027-12-31 23:59:59&sort=blackholed_at',
      reads: [
        { level: 'number', blackholed_at: 'time', user: { login: 'text', 'staff?': 'bool', pool_year: 'text|null' } },
      ],
    },
    { send: 'GET /v2/locations?range[host]=a,zzz&filter[campus_id]={campus}', reads: [LOCATION] },
    { send: 'GET /v2/users?filter[login]={login}', reads: [{ id: 'int', login: 'text' }] },
    { send: 'GET /v2/users/{login}/scale_teams/as_corrector', reads: [{ ...EVALUATION, team: { project_id: 'int' } }] },
    {
      send: 'GET /v2/feedbacks?filter[user_id]={feedbackUser}&filter[feedbackable_type]=ScaleTeam&range[created_at]=2020-01-01 00:00:00,2026-03-02 10:00:00.000001',
      reads: [FEEDBACK],
    },
    {
      send: 'GET /v2/campus/{campus}/events?range[updated_at]=2010-01-01T00:00:00Z,2026-03-02T10:00:00Z',
      reads: [{ id: 'int', name: 'text' }],
    },
    {
      send: 'GET /v2/users/{attendee}/events_users?range[created_at]=2010-01-01,2027-01-01',
      reads: [{ id: 'int', event: { id: 'int' } }],
    },
    {
      send: 'GET /v2/experiences?filter[campus_id]={campus}&filter[cursus_id]={cursus}&range[created_at]=2026-02-01,2026-03-01',
      reads: [{ id: 'int', experience: 'int' }],
      maybeNone: true,
    },
    {
      send: 'GET /v2/projects/{project}/users?filter[primary_campus_id]={campus}&filter[pool_month]=july&per_page=100&page=1',
      reads: [{ id: 'int', login: 'text' }],
      maybeNone: true,
    },
    {
      send: 'GET /v2/achievements/{achievement}/users?filter[pool_year]=2023&filter[primary_campus_id]={campus}',
      reads: [{ login: 'text' }],
      maybeNone: true,
    },
    { send: 'GET /v2/campus/{campus}/locations?per_page=100&page=1&sort=-end_at', reads: [LOCATION] },
    {
      send: 'GET /v2/cursus/{cursus}/teams?page[size]=100&filter[campus]={campus}&range[created_at]=2015-03-31T15:00:00.000Z,2026-04-10T14:59:59.999Z',
      reads: [TEAM],
    },
  ],
}

export const staffPrograms = [
  coalitionSystem,
  evalPointBalancer,
  peerBot,
  codamHero,
  coalitionRanks,
  watchers,
  pythonScripts,
]
