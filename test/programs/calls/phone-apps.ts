import type { Program } from './call.ts'
import {
  COALITION,
  EVALUATION,
  EVENT,
  EXAM,
  FEEDBACK,
  FULL_USER,
  HISTORIC,
  LOCATION,
  PROJECTS_USER,
  SLOT,
  TEAM,
  USER,
  USER_REF,
} from './shapes.ts'

const kind = 'apps on telephones'
const as = 'person'
const SCOPES = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']
const MESSAGE = {
  id: 'int',
  author: USER_REF,
  content: 'text',
  created_at: 'time',
  votes_count: { upvote: 'int', downvote: 'int', trollvote: 'int', problem: 'int' },
  user_votes: 'object',
} as const
const TOPIC = {
  id: 'int',
  name: 'text',
  author: USER_REF,
  kind: 'text',
  created_at: 'time',
  message: 'object',
} as const
const NOTION = {
  id: 'int',
  name: 'text',
  slug: 'text',
  created_at: 'time',
  subnotions: [{ id: 'int', name: 'text', slug: 'text', created_at: 'time' }],
  tags: [{ id: 'int', name: 'text', kind: 'text' }],
  cursus: [{ id: 'int', name: 'text', slug: 'text' }],
} as const
const SUBNOTION = { id: 'int', name: 'text', slug: 'text', notion: 'object|null', attachments: 'list' } as const

/** Writes come with everything in the query and an empty body. */
const intra42Android: Program = {
  name: 'pvarry/intra42',
  kind,
  scopes: SCOPES,
  calls: [
    { as, send: 'GET /v2/me', reads: FULL_USER },
    {
      as,
      send: 'GET /v2/cursus?sort=name&page[size]=100&page[number]=1',
      reads: [{ id: 'int', name: 'text', slug: 'text' }],
    },
    {
      as,
      send: 'GET /v2/campus?sort=name&page[size]=100&page[number]=1',
      reads: [{ id: 'int', name: 'text', time_zone: 'text' }],
    },
    { as, send: 'GET /v2/users?sort=login&page=1', reads: [USER] },
    { as, send: 'GET /v2/campus/{campus}/users?sort=login&page=1', reads: [USER] },
    { as, send: 'GET /v2/users/{login}', reads: FULL_USER },
    { as, send: 'GET /v2/users?search[login]={login}', reads: [USER] },
    { as, send: 'GET /v2/users?page[size]=100&search[first_name]={firstName}', reads: [USER] },
    { as, send: 'GET /v2/users?search[last_name]={lastName}', reads: [USER] },
    {
      as,
      send: 'GET /v2/users/{expert}/expertises_users?sort=-value&page=1',
      reads: [{ id: 'int', value: 'int', expertise: { id: 'int', name: 'text' } }],
    },
    {
      as,
      send: 'GET /v2/expertises?sort=name&page[size]=100&page[number]=1',
      reads: [{ id: 'int', name: 'text', slug: 'text', kind: 'text' }],
    },
    {
      as,
      send: 'GET /v2/campus/{campus}/cursus/{cursus}/events?sort=begin_at&range[end_at]=2026-03-02T10:00:00.000Z,2027-03-02T10:00:00.000Z&page=1',
      reads: [EVENT],
    },
    {
      as,
      send: 'GET /v2/campus/{campus}/events?sort=-begin_at&range[begin_at]=2020-03-02T10:00:00.000Z,2026-03-02T10:00:00.000Z&page=1',
      reads: [EVENT],
    },
    {
      as,
      send: 'GET /v2/events?range[created_at]=2020-01-01T00:00:00.000Z,2026-03-02T10:00:00.000Z&page=1',
      reads: [EVENT],
    },
    {
      as,
      send: 'POST /v2/events_users?events_user[event_id]={event}&events_user[user_id]={person}',
      reads: { id: 'int', event: EVENT, user: USER_REF },
      remembers: 'going',
    },
    {
      as,
      send: 'GET /v2/events_users?filter[user_id]={person}&filter[event_id]={event},{pastEvent}',
      reads: [{ id: 'int', event_id: 'int', user_id: 'int' }],
    },
    { as, send: 'DELETE /v2/events_users/{going.id}' },
    { as, send: 'GET /v2/me/scale_teams?sort=begin_at&page=1', reads: [EVALUATION], maybeNone: true },
    {
      as,
      send: 'GET /v2/me/scale_teams?sort=begin_at&range[begin_at]=2020-01-01T00:00:00.000Z,2026-03-02T10:00:00.000Z&page=1',
      reads: [EVALUATION],
    },
    { as, send: 'GET /v2/projects?sort=name&page=1', reads: [{ id: 'int', name: 'text', slug: 'text', exam: 'bool' }] },
    {
      as,
      send: 'GET /v2/cursus/{cursus}/projects?sort=name&search[name]={projectWord}',
      reads: [{ id: 'int', name: 'text', slug: 'text' }],
    },
    {
      as,
      send: 'GET /v2/projects/{projectSlug}',
      reads: {
        id: 'int',
        name: 'text',
        attachments: 'list',
        project_sessions: [{ id: 'int', campus_id: 'int|null', objectives: 'list|null', max_people: 'int|null' }],
      },
    },
    { as, send: 'GET /v2/projects/{projectSlug}/users?sort=login&page=1', reads: [USER] },
    { as, send: 'GET /v2/projects_users/{projectsUser}', reads: { ...PROJECTS_USER, teams: [TEAM], user: USER_REF } },
    {
      as,
      send: 'GET /v2/projects/{done.project}/projects_users?page[size]=1&filter[user_id]={done.user}',
      reads: [PROJECTS_USER],
    },
    { as, send: 'GET /v2/users/{done.login}/projects/{done.project}/teams?sort=-created_at&page=1', reads: [TEAM] },
    { as, send: 'GET /v2/me/slots?sort=begin_at&filter[future]=true&page=1', reads: [SLOT], maybeNone: true },
    {
      as,
      send: 'POST /v2/slots?slot[user_id]={person}&slot[begin_at]=2026-03-04T10:00:00.000Z&slot[end_at]=2026-03-04T11:00:00.000Z',
      reads: [SLOT],
      remembers: 'slots',
    },
    { as, send: 'DELETE /v2/slots/{slots.0.id}' },
    {
      as,
      send: 'GET /v2/campus/{campus}/locations?filter[active]=true&page[size]=100&page[number]=1',
      reads: [{ ...LOCATION, end_at: 'null' }],
    },
    { as, send: 'GET /v2/users/{login}/locations?sort=-begin_at', reads: [LOCATION] },
    {
      as,
      send: 'GET /v2/campus/{campus}/locations?sort=-begin_at&page[size]=100&filter[host]={host}',
      reads: [LOCATION],
    },
    {
      as,
      send: 'GET /v2/campus/{campus}/locations?filter[active]=true&filter[user_id]={seated},{user}&page[size]=100&page[number]=1',
      reads: [LOCATION],
    },
    { as, send: 'GET /v2/tags?page[size]=100&page[number]=1', reads: [{ id: 'int', name: 'text', kind: 'text' }] },
    { as, send: 'GET /v2/topics?sort=-write_at&page=1', reads: [TOPIC] },
    {
      as,
      send: 'GET /v2/cursus/{cursus}/topics?sort=-write_at&search[name]=a',
      reads: [TOPIC],
      maybeNone: true,
    },
    { as, send: 'GET /v2/topics/unread?sort=-write_at&page=1', reads: [TOPIC], maybeNone: true },
    { as, send: 'GET /v2/topics/{topic}/messages', reads: [{ ...MESSAGE, replies: [MESSAGE] }] },
    {
      as,
      send: 'POST /v2/topics/{topic}/messages?message[author_id]={person}&message[content]=Well said',
      reads: MESSAGE,
      remembers: 'message',
    },
    { as, send: 'PUT /v2/messages/{message.id}?message[content]=Better said' },
    {
      as,
      send: 'POST /v2/messages/{message.id}/messages?message[author_id]={person}&message[content]=Indeed',
      reads: MESSAGE,
    },
    {
      as,
      send: 'POST /v2/votes?vote[user_id]={person}&vote[message_id]={message.id}&vote[kind]=upvote',
      reads: { id: 'int', kind: 'text' },
      remembers: 'vote',
    },
    { as, send: 'DELETE /v2/votes/{vote.id}' },
    {
      as,
      send: 'POST /v2/topics?topic[name]=Lost keys&topic[kind]=normal&topic[language_id]=1&topic[messages_attributes][content]=Whose are they?&topic[tag_ids]={tag}&topic[cursus_ids]={cursus}',
      reads: TOPIC,
    },
    {
      as,
      send: 'GET /v2/announcements?sort=begin_at&range[created_at]=2020-01-01T00:00:00.000Z,2026-03-02T10:00:00.000Z&page=1',
      reads: [{ id: 'int', title: 'text', text: 'text', expire_at: 'time' }],
    },
    { as, send: 'GET /v2/cursus/{cursus}/notions?sort=name&page=1', reads: [NOTION], remembers: 'notions' },
    { as, send: 'GET /v2/tags/{tag}/notions?sort=name&page=1', reads: [NOTION], maybeNone: true },
    { as, send: 'GET /v2/notions/{notions.0.slug}/subnotions?page=1', reads: [SUBNOTION] },
    {
      as,
      send: 'POST /v2/expertises_users?expertises_user[expertise_id]={expertise}&expertises_user[user_id]={person}&expertises_user[value]=3&expertises_user[interested]=true&expertises_user[contact_me]=false',
      reads: { id: 'int' },
      remembers: 'expert',
    },
    { as, send: 'DELETE /v2/expertises_users/{expert.id}' },
  ],
}

/** Every parameter is in the query, `Date` as Swift prints it, the plus sign of its zone as it is. */
const intra42Ios: Program = {
  name: 'marc-mosca/Intra42',
  kind,
  scopes: SCOPES,
  calls: [
    { as, send: 'GET /v2/me', reads: FULL_USER },
    { as, send: 'GET /v2/users/{user}', reads: FULL_USER },
    { as, send: 'GET /v2/users/{user}/correction_point_historics?sort=-created_at', reads: [HISTORIC] },
    {
      as,
      send: 'GET /v2/campus/{campus}/cursus/{cursus}/events?filter[future]=true&sort=begin_at&page[size]=100',
      reads: [EVENT],
    },
    { as, send: 'GET /v2/users/{attendee}/events?sort=-begin_at&page[size]=100', reads: [EVENT] },
    {
      as,
      send: 'GET /v2/users/{attendee}/events_users?filter[event_id]={pastEvent}',
      reads: [{ id: 'int', event_id: 'int', user_id: 'int' }],
      maybeNone: true,
    },
    {
      as,
      send: 'POST /v2/events_users?events_user[event_id]={event}&events_user[user_id]={person}',
      reads: { id: 'int' },
      remembers: 'going',
    },
    { as, send: 'DELETE /v2/events_users/{going.id}' },
    { send: 'GET /v2/campus/{campus}/exams?filter[future]=true&sort=-begin_at', reads: [EXAM] },
    { send: 'GET /v2/users/{user}/exams?filter[future]=true&sort=-begin_at', reads: [EXAM], maybeNone: true },
    { send: 'GET /v2/users/{login}/locations_stats?begin_at=2025-09-01', reads: 'object' },
    { as, send: 'GET /v2/projects/{project}', reads: { id: 'int', name: 'text' } },
    {
      as,
      send: 'GET /v2/me/scale_teams?sort=-begin_at&page[size]=100',
      reads: [{ ...EVALUATION, team: 'object' }],
      maybeNone: true,
    },
    { as, send: 'GET /v2/me/slots?filter[future]=true&sort=-begin_at&page[size]=100', reads: [SLOT], maybeNone: true },
    {
      as,
      send: 'POST /v2/slots?slot[user_id]={person}&slot[begin_at]=2026-03-05 10:00:00 +0000&slot[end_at]=2026-03-05 11:00:00 +0000',
      reads: [SLOT],
      remembers: 'slots',
    },
    { as, send: 'DELETE /v2/slots/{slots.0.id}' },
  ],
}

/** Pages by number until one is shorter, always with a content type of JSON, also where nothing is sent. */
const home42: Program = {
  name: 'horiz0n-zero/42-Home',
  kind,
  scopes: SCOPES,
  calls: [
    { as, send: 'GET /v2/me', reads: FULL_USER },
    { as, send: 'GET /v2/users/{user}/coalitions', reads: [COALITION], maybeNone: true },
    {
      as,
      send: 'GET /v2/blocs?filter[campus_id]={campus}',
      reads: [{ id: 'int', cursus_id: 'int', squad_size: 'int', coalitions: [COALITION] }],
    },
    { as, send: 'GET /v2/coalitions/{coalition}/users?page[number]=1&page[size]=100', reads: [USER] },
    { as, send: 'GET /v2/users/{user}/scale_teams/as_corrector?page[number]=1&page[size]=100', reads: [EVALUATION] },
    {
      as,
      send: 'GET /v2/users/{done.user}/scale_teams/as_corrected?page[number]=1&page[size]=100',
      reads: [EVALUATION],
      maybeNone: true,
    },
    {
      as,
      send: 'GET /v2/campus/{campus}/locations?filter[active]=true&page[number]=1&page[size]=100',
      reads: [LOCATION],
    },
    { as, send: 'GET /v2/users/{user}/correction_point_historics?page[number]=1&page[size]=100', reads: [HISTORIC] },
    {
      as,
      send: 'GET /v2/projects/{project}/slots?page[number]=1&page[size]=100',
      reads: [{ id: 'int', begin_at: 'time', end_at: 'time', user: 'invisible' }],
      maybeNone: true,
    },
    { as, send: 'GET /v2/projects/{evaluated.project}/scale_teams?page[number]=1&page[size]=100', reads: [EVALUATION] },
    { as, send: 'GET /v2/expertises/{expertise}/users?page[number]=1&page[size]=100', reads: [USER], maybeNone: true },
    {
      as,
      send: 'GET /v2/achievements/{achievement}/achievements_users?page[number]=1&page[size]=100',
      reads: [{ id: 'int', achievement_id: 'int', nbr_of_success: 'int|null' }],
    },
    { as, send: 'GET /v2/achievements/{achievement}/users?page[number]=1&page[size]=100', reads: [USER] },
    { as, send: 'GET /v2/groups?page[number]=1&page[size]=100', reads: [{ id: 'int', name: 'text' }] },
    { as, send: 'GET /v2/groups/{group}/users?page[number]=1&page[size]=100', reads: [USER] },
    { as, send: 'GET /v2/titles/{heldTitle}/users?page[number]=1&page[size]=100', reads: [USER] },
    { as, send: 'GET /v2/campus/{campus}/cursus/{cursus}/exams', reads: [EXAM] },
    { as, send: 'GET /v2/events/{pastEvent}/feedbacks', reads: [FEEDBACK], maybeNone: true },
    { as, send: 'GET /v2/events/{pastEvent}/users?page[number]=1&page[size]=100', reads: [USER] },
    { as, send: 'GET /v2/cursus/{cursus}/notions?page[size]=100', reads: [NOTION], remembers: 'notions' },
    { as, send: 'GET /v2/notions/{notions.0.id}/subnotions?sort=position', reads: [SUBNOTION] },
    {
      as,
      send: 'GET /v2/campus/{campus}/products?page[number]=1&page[size]=100',
      reads: [
        {
          id: 'int',
          name: 'text',
          description: 'text',
          price: 'int',
          quantity: 'int|null',
          campus_id: 'int',
          campus_name: 'text',
          image: 'object',
        },
      ],
    },
    { as, send: 'GET /v2/campus/{campus}/broadcasts', reads: 'list' },
    {
      as,
      send: 'GET /v2/offers?page[number]=1&page[size]=100',
      reads: [{ id: 'int', title: 'text', salary: 'text', full_address: 'text', contract_type: 'text' }],
    },
    { as, send: 'GET /v2/skills?page[number]=1&page[size]=100', reads: [{ id: 'int', name: 'text' }] },
    {
      as,
      send: 'GET /v2/partnerships/{partnership}/users?page[number]=1&page[size]=100',
      reads: [USER],
      maybeNone: true,
    },
  ],
}

export const phoneApps = [intra42Android, intra42Ios, home42]
