import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Column } from '@campus/engine/rest/declare/fields/field'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import type { World } from './campus.ts'

type Values = Readonly<Record<string, unknown>>

/** Functions with which a definition builds its payload. */
export type FactoryContext = {
  readonly world: World
  /** Returns the id of an existing record, or of a new one if the list is empty. */
  find(resource: string): Promise<number>
  /** Creates a record from its definition and `values`. Returns its id. */
  make(resource: string, values?: Values): Promise<number>
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  get(path: string): Promise<any>
  /** Returns a unique word. */
  word(): string
  /** Returns the ISO time in this number of days. */
  inDays(days: number): string
}

/** Payloads to create and update a record of one resource. */
export type FactoryDefinition = {
  /** Payload of a creation. The path supplies the parent. */
  readonly payload?: (factory: FactoryContext) => Values | Promise<Values>
  /** Fields to add if the path has no parent. */
  readonly alone?: (factory: FactoryContext) => Values | Promise<Values>
  /** Payload of an update. */
  readonly change?: (factory: FactoryContext) => Values | Promise<Values>
  /** Inserts the row, for resources that the API cannot create. */
  readonly make?: (factory: FactoryContext, values: Values) => Promise<number>
}

const named = ({ word }: FactoryContext) => ({ name: word() })
/** Returns a definition with the required fields only: new users, otherwise existing records, and unique words. */
function minimalDefinition({ payload, fields }: Resource): FactoryDefinition {
  const { requires = [] } = payload ?? {}
  return {
    async payload(factory) {
      const values = requires.map(
        async (name, at) => [name, await neededValue(fields[name]?.stored, factory, at)] as const,
      )
      return Object.fromEntries(await Promise.all(values))
    },
    ...(requires.includes('name') ? { change: named } : {}),
  }
}

function neededValue(column: Column | undefined, { find, make, word, inDays }: FactoryContext, at: number) {
  const { type, format, enum: words } = column?.kind.schema ?? {}
  if (column?.references === 'users') return make('users')
  if (column?.references) return find(column.references)
  if (words) return [words].flat()[0]
  if (format) return inDays(at)
  return type === 'boolean' ? false : type === 'string' ? word() : 1
}

/** Definitions of resources for which the required fields are not enough. */
const EXCEPTIONS: Readonly<Record<string, FactoryDefinition>> = {
  achievements: { payload: ({ word }) => ({ name: word(), description: 'Came first', kind: 'project', tier: 'none' }) },
  announcements: {
    payload: async ({ word, find, inDays }) => ({
      author: 'The library',
      title: word(),
      text: 'Open on Sundays, too',
      expire_at: inDays(9),
      cursus_ids: [await find('cursus')],
    }),
    change: ({ word }) => ({ title: word() }),
  },
  anti_grav_units_users: {
    payload: async ({ make, find, inDays }) => ({
      user_id: await make('users'),
      anti_grav_unit_id: await find('anti_grav_units'),
      begin_date: inDays(0).slice(0, 10),
      expected_end_date: inDays(30).slice(0, 10),
      reason: 'A journey',
      is_free: true,
    }),
  },
  apps: {
    payload: ({ word }) => ({
      name: `${word()} board`,
      description: 'Shows who sits where',
      scopes: ['public'],
      public: true,
      redirect_uris: ['https://board.campus.test/back'],
    }),
    change: ({ word }) => ({ name: `${word()} board`, website: 'https://board.campus.test' }),
  },
  attachments: {
    payload: async ({ word, find }) => ({
      kind: 'link',
      language_id: await find('languages'),
      attachable_attributes: [{ name: word(), attachable_type: 'link' }],
    }),
    change: () => ({ untranslatable: 'true' }),
    make: async ({ world, word, find }, values) =>
      world.build.record('attachments', {
        name: word(),
        slug: word(),
        kind: 'link',
        attachable_type: 'Link',
        url: 'https://docs.campus.test',
        ...('project_session_id' in values ? {} : { project_id: await find('projects') }),
        ...values,
      }),
  },
  broadcasts: {
    payload: async ({ word, find }) => ({ campus_id: await find('campus'), content: word() }),
    change: () => ({ position: 2 }),
  },
  campus: {
    payload: async ({ word, find }) => ({ name: word(), time_zone: 'UTC', language_id: await find('languages') }),
  },
  certificates: { payload: ({ word }) => ({ name: word(), content: 'Knows much' }), change: named },
  certificates_users: {
    change: () => ({ pdf: 'https://files.campus.test/certificate.pdf' }),
  },
  changelogs: {
    payload: ({ word }) => ({ version: word(), content: '* faster' }),
    change: ({ word }) => ({ name: word() }),
  },
  closes: {
    payload: async ({ make }) => ({ user_id: await make('users'), kind: 'other', reason: 'Left the building' }),
    change: ({ word }) => ({ reason: word() }),
  },
  blocs: {
    payload: async ({ find }) => ({ campus_id: await find('campus'), cursus_id: await find('cursus'), squad_size: 3 }),
    change: () => ({ squad_size: 4 }),
  },
  bloc_deadlines: {
    payload: async ({ find, inDays }) => ({ bloc_id: await find('blocs'), begin_at: inDays(-30), end_at: inDays(30) }),
    change: ({ inDays }) => ({ end_at: inDays(40) }),
  },
  coalitions: {
    payload: async ({ word, find }) => ({ name: word(), color: '#00babc', bloc_id: await find('blocs') }),
    change: named,
  },
  clusters: {
    payload: async ({ word, find }) => ({ name: word(), campus_id: await find('campus') }),
    change: named,
  },
  community_services: {
    payload: async ({ make, inDays }) => ({
      close_id: await make('closes'),
      duration: '7200',
      occupation: 'Watering the plants',
      schedule_at: inDays(3),
    }),
    change: ({ word }) => ({ occupation: word() }),
  },
  campus_users: {
    payload: async ({ make }) => ({
      campus_id: await make('campus'),
      user_id: await make('users'),
      is_primary: false,
    }),
    change: async ({ make }) => ({ campus_id: await make('campus') }),
  },
  cursus_users: { change: () => ({ grade: 'Member' }) },
  cursus: { payload: ({ word }) => ({ name: word(), kind: 'main' }) },
  callbacks: {
    // Calls of the API record it. No route creates it.
    make: async ({ world, find }, values = {}) =>
      world.build.record('callbacks', {
        endpoint_id: await find('endpoints'),
        user_id: await find('users'),
        url: 'https://webservice.test/users/ada/update',
        initial_data: { login: 'ada' },
        response_data: { status: 200 },
        ...values,
      }),
  },
  webhooks: {
    // Has routes only below an application. A generated secret would differ in each run.
    payload: () => ({
      ...{ model: 'location', event: 'close', url: 'https://hooks.campus.test' },
      secret: 'a-secret-of-your-own',
    }),
    make: async ({ world, find }, values = {}) =>
      world.build.record('webhooks', {
        application_id: await find('apps'),
        model: 'location',
        relation: 'locations',
        event: 'close',
        url: 'https://hooks.campus.test',
        secret: 'sealed elsewhere',
        active: false,
        ...values,
      }),
    change: ({ word }) => ({ description: word() }),
  },
  deliveries: {
    // The endpoint is enabled, at an address that the service must not call.
    make: async ({ find, make, world, word }, values) =>
      world.build.record('deliveries', {
        endpoint_id: await make('endpoints', { url: 'https://127.0.0.1:9' }),
        user_id: await find('users'),
        login: word(),
        event: 'updated',
        record: '{}',
        state: 'dead',
        ...values,
      }),
  },
  endpoints: {
    payload: ({ word }) => ({ url: `https://${word()}.campus.test` }),
    change: ({ word }) => ({ description: word() }),
  },
  evaluations: { payload: () => ({ kind: 'scale' }), change: () => ({ kind: 'upload' }) },
  events: {
    payload: async ({ word, find, inDays }) => ({
      name: word(),
      description: 'Bring a friend',
      kind: 'conference',
      begin_at: inDays(2),
      end_at: inDays(3),
      max_people: '30',
      activate_waitlist: true,
      campus_ids: [await find('campus')],
      cursus_ids: [await find('cursus')],
    }),
    change: ({ word }) => ({ location: word() }),
  },
  events_users: {
    payload: async ({ make }) => ({ event_id: await make('events'), user_id: await make('users') }),
    change: async ({ make }) => ({ user_id: await make('users') }),
  },
  exams: {
    payload: async ({ word, find, inDays }) => ({
      name: word(),
      begin_at: inDays(2),
      end_at: inDays(2.1),
      max_people: 20,
      activate_waitlist: true,
      campus_id: await find('campus'),
      cursus_ids: [await find('cursus')],
    }),
    change: () => ({ location: 'Second floor' }),
  },
  experiences: {
    payload: async ({ make, find }) => {
      const user_id = await make('users')
      return {
        user_id,
        skill_id: await find('skills'),
        cursus_id: await find('cursus'),
        experiancable_type: 'ProjectsUser',
        experiancable_id: await make('projects_users', { user_id }),
        experience: 120,
      }
    },
    change: () => ({ experience: 150 }),
  },
  expertises: { payload: ({ word }) => ({ name: word(), kind: 'languages' }) },
  expertises_users: {
    payload: async ({ make }) => ({ expertise_id: await make('expertises'), user_id: await make('users'), value: 3 }),
    change: () => ({ value: 5 }),
  },
  feedbacks: {
    payload: async ({ make, word }) => {
      const [feedbackable_id, user_id] = [await make('events'), await make('users')]
      await make('events_users', { event_id: feedbackable_id, user_id })
      return { user_id, feedbackable_type: 'Event', feedbackable_id, comment: word(), rating: 4 }
    },
    change: () => ({ rating: 5 }),
  },
  flags: { payload: ({ word }) => ({ name: word(), positive: true, icon: 'star' }), change: named },
  flashes: {
    payload: ({ word }) => ({ title: word(), content: '<p>Lunch is free</p>', identifier: word(), duration: '10' }),
    change: () => ({ selector: '#menu' }),
  },
  flash_users: {
    payload: async ({ make }) => ({ flash_id: await make('flashes'), user_id: await make('users') }),
    change: () => ({ seen: true }),
  },
  languages: { payload: ({ word }) => ({ name: word(), identifier: word().slice(-8) }) },
  languages_users: { change: () => ({ position: 2 }) },
  journals: {
    make: async ({ world, find, make }, values) =>
      world.build.record('journals', {
        ...{ user_id: await make('users'), campus_id: await find('campus'), item_type: 'Internship', item_id: 1 },
        ...{ reason: 'signed', event_at: world.clock.now(), alumni: false, closed: false, ...values },
      }),
  },
  levels: {
    payload: async ({ make }) => ({ cursus_id: await make('cursus'), lvl: 1, xp: 462 }),
    change: () => ({ xp: 500 }),
  },
  locations: {
    payload: async ({ make, find, word }) => ({
      user_id: await make('users'),
      campus_id: await find('campus'),
      host: word(),
    }),
    change: ({ word }) => ({ primary: false, host: word() }),
  },
  messages: {
    payload: () => ({ content: 'Has anybody seen my notebook?' }),
    alone: async ({ find }) => ({ messageable_id: await find('topics') }),
    change: () => ({ content: 'Found it, thank you.' }),
  },
  offers: {
    payload: ({ inDays }) => ({
      title: 'Gardener of robots',
      little_description: 'Robots grow in our garden.',
      big_description: 'You water them, and tell us which ones bloom.',
      contract_type: 'stage',
      email: 'robots@garden.test',
      address: '1 Garden Street',
      city: 'Lyon',
      zip: '69000',
      country: 'France',
      valid_at: inDays(0),
      invalid_at: inDays(60),
      min_duration: 4,
      target: 'student',
    }),
    change: ({ word }) => ({ salary: word() }),
  },
  offers_users: { change: ({ inDays }) => ({ validated_at: inDays(0) }) },
  internships: {
    payload: async ({ make, inDays }) => ({ user_id: await make('users'), start_at: inDays(10), end_at: inDays(190) }),
    change: () => ({ state: 'generated' }),
  },
  notions: { payload: async ({ word, find }) => ({ name: word(), tag_ids: [await find('tags')] }), change: named },
  partnerships: {
    payload: async ({ word, find }) => ({
      name: word(),
      description: 'Robots for gardens',
      difficulty: '1000',
      cursus_id: await find('cursus'),
    }),
    change: () => ({ difficulty: 2000 }),
  },
  patronages: {
    payload: async ({ make }) => ({ user_id: await make('users'), godfather_id: await make('users') }),
    change: () => ({ ongoing: false }),
  },
  project_data: {
    payload: async ({ make }) => ({
      coordinates: '[2350.0, 3450.0]',
      by: '[[1, 2350.0, 3450.0, 2400, 3500.5]]',
      kind: 'project',
      project_session_id: await make('project_sessions'),
    }),
    change: () => ({ kind: 'rush' }),
  },
  project_sessions: {
    payload: async ({ make }) => ({
      project_id: await make('projects'),
      minimum_mark: 50,
      team_behaviour: 'user',
      evaluations_attributes: [{ kind: 'scale' }],
    }),
    change: () => ({ max_people: 4 }),
  },
  project_sessions_rules: {
    payload: async ({ find, make }) => ({
      rule_id: await find('rules'),
      project_session_id: await make('project_sessions'),
      required: true,
      position: 1,
    }),
    change: () => ({ position: 2, required: false }),
  },
  project_sessions_skills: {
    make: async ({ world, make }, values) =>
      world.build.record('project_sessions_skills', {
        project_session_id: await make('project_sessions'),
        skill_id: await make('skills'),
        value: 2,
        ...values,
      }),
  },
  projects: {
    payload: async ({ word, find }) => ({ name: word(), cursus_ids: [await find('cursus')] }),
    change: named,
  },
  quests: {
    payload: async ({ word, find }) => ({
      name: word(),
      kind: 'main',
      description: 'Find the library',
      cursus_id: await find('cursus'),
      campus_id: await find('campus'),
      duration: 30,
      tries_number: 1,
      success_number: 1,
      mails_from: '',
    }),
    change: ({ word }) => ({ name: word(), position: 7 }),
  },
  rules: {
    payload: ({ word }) => ({ name: word(), kind: 'inscription', internal_name: word(), description: 'Always true' }),
  },
  scale_teams: {
    payload: async (factory) => ({ ...(await closedTeam(factory)), user_id: await factory.make('users') }),
    change: ({ word }) => ({ comment: word() }),
  },
  scales: {
    payload: async ({ word, make }) => ({
      name: word(),
      correction_number: 3,
      duration: 900,
      is_primary: true,
      evaluation_id: await make('evaluations'),
    }),
  },
  scores: {
    payload: ({ word }) => ({ value: 5, reason: word() }),
    alone: async ({ find }) => ({ coalition_id: await find('coalitions') }),
    make: async ({ world, find, word }, values) =>
      world.build.record('scores', { coalition_id: await find('coalitions'), value: 5, reason: word(), ...values }),
  },
  slots: {
    payload: async ({ make, inDays }) => ({
      user_id: await make('users'),
      begin_at: inDays(3),
      end_at: inDays(3.125),
    }),
    change: ({ inDays }) => ({ begin_at: inDays(4), end_at: inDays(4.125) }),
  },
  squads: {
    payload: async ({ find, make }) => ({
      bloc_id: await find('blocs'),
      squads_users_attributes: [{ user_id: await make('users'), leader: true }],
    }),
    change: ({ inDays }) => ({ locked_at: inDays(1) }),
  },
  squads_users: {
    payload: async ({ find, make }) => ({ squad_id: await find('squads'), user_id: await make('users') }),
    change: () => ({ validated: true }),
  },
  subnotions: {
    payload: async ({ word, find }) => ({ name: word(), notion_id: await find('notions') }),
    change: named,
  },
  tags_users: {
    payload: async ({ find, make }) => ({ tag_id: await find('tags'), user_id: await make('users') }),
    change: async ({ find }) => ({ campus_id: await find('campus') }),
  },
  teams: {
    payload: async ({ make, get, word }) => {
      const project_session_id = await make('project_sessions')
      const { project_id } = await get(`/v2/project_sessions/${project_session_id}`)
      const teams_users_attributes = [{ user_id: await make('users'), leader: true }]
      return { name: word(), project_id, project_session_id, teams_users_attributes }
    },
    change: ({ word }) => ({ name: word() }),
  },
  teams_uploads: {
    payload: async ({ world, make, word }) => {
      const evaluation_id = await make('evaluations')
      const upload_id = await world.build.record('uploads', { name: word(), evaluation_id })
      return { team_id: await make('teams'), upload_id, final_mark: 80 }
    },
    change: () => ({ final_mark: 100 }),
  },
  teams_users: {
    payload: async ({ make, get }) => {
      const project_session_id = await make('project_sessions', { max_people: 4 })
      const { project_id } = await get(`/v2/project_sessions/${project_session_id}`)
      return { team_id: await make('teams', { project_id, project_session_id }), user_id: await make('users') }
    },
    change: () => ({ leader: true }),
  },
  topics: { payload: async ({ word, find }) => ({ name: word(), language_id: await find('languages') }) },
  users: {
    payload: async ({ word, find }) => ({
      email: `${word()}@campus.test`,
      first_name: 'Grace',
      last_name: 'Hopper',
      usual_first_name: 'Amazing',
      kind: 'student',
      pool_year: '2026',
      pool_month: 'february',
      campus_id: await find('campus'),
    }),
    change: ({ word }) => ({ first_name: word() }),
  },
  pools: {
    payload: async ({ make, find }) => ({
      max_points: 100,
      campus_id: await make('campus'),
      cursus_id: await find('cursus'),
    }),
    change: () => ({ max_points: 150 }),
  },
  balances: {
    payload: async ({ find, inDays }) => ({ pool_id: await find('pools'), begin_at: inDays(1), end_at: inDays(3) }),
    change: ({ inDays }) => ({ end_at: inDays(4) }),
  },
  transactions: {
    payload: async ({ make, word }) => ({
      user_id: await make('users'),
      value: 10,
      transactable_type: 'Event',
      reason: word(),
    }),
  },
  products: {
    payload: ({ word }) => ({
      name: word(),
      description: 'Worn by those who have found every bug.',
      price: 30,
      category_id: 1,
      kind: 'user',
      image: 'https://shop.test/logo.png',
    }),
    change: () => ({ price: 25 }),
  },
  votes: {
    payload: async ({ make }) => ({ message_id: await make('messages'), user_id: await make('users'), kind: 'upvote' }),
  },
  waitlists: {
    make: async ({ make, get }) => {
      const event = await make('events', { activate_waitlist: true })
      return (await get(`/v2/events/${event}/waitlist`)).id
    },
  },
}

/** Definitions of all resources that clients may write, and of the resources that they need. */
export const FACTORY_DEFINITIONS: Readonly<Record<string, FactoryDefinition>> = Object.fromEntries(
  declaredRegistry().resources.flatMap((resource) => {
    const { name, actions } = resource
    const { [name]: exception } = EXCEPTIONS
    if (exception?.payload || exception?.make) return [[name, exception]]
    const isWritable = actions !== embeddedOnly && actions.create
    return isWritable ? [[name, { ...minimalDefinition(resource), ...exception }]] : []
  }),
)

/** Creates a closed team of one user, and the scale of its evaluations. */
export async function closedTeam({ make, get, world, inDays }: FactoryContext): Promise<Values> {
  const project_session_id = await make('project_sessions')
  const { evaluations } = await get(`/v2/project_sessions/${project_session_id}`)
  const scale_id = await make('scales', { evaluation_id: evaluations[0].id })
  const { project_id } = await get(`/v2/project_sessions/${project_session_id}`)
  const now = world.clock.now().toISOString()
  const team_id = await make('teams', { project_id, project_session_id, locked_at: now, closed_at: now })
  return { team_id: String(team_id), scale_id: String(scale_id), begin_at: inDays(1) }
}
