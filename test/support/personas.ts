import { SCOPES } from '@campus/intranet/access/scopes'
import type { World } from './campus.ts'
import type { Client } from './client.ts'
import { ownedApplication } from './owned-application.ts'
import { openProject, type Project } from './projects.ts'
import { offered } from './slots.ts'

/** `teammate` is in the owner's teams and events, `evaluator` evaluates those teams, `stranger` has nothing to do with them. */
export const PEOPLE = ['owner', 'teammate', 'evaluator', 'stranger'] as const
export type Person = (typeof PEOPLE)[number]

/** Four users of one campus and cursus, each with a token that carries every scope. */
export type Personas = {
  readonly world: World
  readonly id: Readonly<Record<Person, number>>
  readonly client: Readonly<Record<Person, Client>>
  /** User id that payloads may name. */
  readonly bystander: number
  readonly place: Project
  /** Application of the owner, whose token it issued. */
  readonly application: number
  /** Creates a project of the same cursus that nobody has begun. */
  project(): Promise<Project>
  word(): string
  /** Returns the beginning of the next unused half hour in the future. */
  halfHour(): string
}

type Values = Readonly<Record<string, unknown>>

/** Creates a record of the owner, and the payload with which each person tries to create one. */
export type Scenario = {
  record(personas: Personas): Promise<number>
  creation(personas: Personas, person: Person): Promise<Values>
  /** Path of the creation, if it differs from `/v2/RESOURCE`. */
  below?(personas: Personas): string
  /** Valid elements of `<association>_attributes`. */
  readonly elements?: Readonly<Record<string, (personas: Personas) => Promise<Values>>>
}

const HOOK = { model: 'location', event: 'close', url: 'https://hooks.campus.test' }
const HALF_HOUR_MS = 1_800_000
const [PAST, SOON] = ['2026-03-01T00:00:00.000Z', '2026-03-02T10:30:00.000Z']

export async function createPersonas(world: World): Promise<Personas> {
  const place = await openProject(world, { session: { max_people: 4 } })
  const { campus, cursus } = place
  const enrolled = async () => {
    const id = await world.build.user({ correction_point: 1000 })
    await world.build.record('campus_users', { user_id: id, campus_id: campus, is_primary: true })
    await world.build.record('cursus_users', { user_id: id, cursus_id: cursus, begin_at: '2026-01-01T00:00:00Z' })
    return id
  }
  const id = {} as Record<Person, number>
  const client = {} as Record<Person, Client>
  const scopes = Object.keys(SCOPES)
  for (const person of PEOPLE) id[person] = await enrolled()
  const application = await ownedApplication(world, id.owner, scopes)
  for (const person of PEOPLE) {
    client[person] = await world.caller({ user: id[person], scopes, ...(person === 'owner' && { application }) })
  }
  let words = 0
  let next = Date.parse('2026-03-03T00:00:00.000Z')
  return {
    world,
    id,
    client,
    place,
    application,
    bystander: await enrolled(),
    project: () => openProject(world, { campus, cursus, session: { max_people: 4 } }),
    word() {
      words += 1
      return `word-${words}`
    },
    halfHour() {
      next += HALF_HOUR_MS
      return new Date(next).toISOString()
    },
  }
}

/** One scenario for each resource of which people write their own records. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  webhooks: {
    record: async ({ world, application }) =>
      world.build.record('webhooks', {
        ...{ application_id: application, ...HOOK, relation: 'locations', active: false },
        secret: 'sealed elsewhere',
      }),
    creation: async () => HOOK,
    below: ({ application }) => `/v2/apps/${application}/webhooks`,
  },
  expertises_users: {
    record: async (personas) =>
      personas.world.build.record('expertises_users', await expertise(personas, personas.id.owner)),
    creation: async (personas) => expertise(personas),
  },
  events_users: {
    record: async (personas) => {
      const event_id = await event(personas)
      await personas.world.build.record('events_users', { event_id, user_id: personas.id.teammate })
      return personas.world.build.record('events_users', { event_id, user_id: personas.id.owner })
    },
    creation: async (personas) => ({ event_id: await event(personas) }),
  },
  feedbacks: {
    record: async (personas) => {
      const about = { feedbackable_type: 'Event', feedbackable_id: await attended(personas) }
      return personas.world.build.record('feedbacks', {
        user_id: personas.id.owner,
        comment: 'Kind',
        rating: 3,
        ...about,
      })
    },
    creation: async (personas) => ({
      feedbackable_type: 'Event',
      feedbackable_id: await attended(personas),
      comment: 'A good evening',
    }),
    elements: { feedback_details_attributes: async () => ({ kind: 'pertinent', rate: 3 }) },
  },
  topics: {
    record: topic,
    creation: async (personas) => ({ name: personas.word(), language_id: await personas.world.build.language() }),
    elements: { messages_attributes: async () => ({ content: 'A red umbrella' }) },
  },
  messages: {
    record: message,
    creation: async (personas) => ({ messageable_id: await topic(personas), content: 'A red umbrella' }),
  },
  votes: {
    record: async (personas) =>
      personas.world.build.record('votes', {
        message_id: await message(personas),
        user_id: personas.id.owner,
        kind: 'upvote',
      }),
    creation: async (personas) => ({ message_id: await message(personas), kind: 'upvote' }),
  },
  // The owner and the teammate have tried it, and failed.
  projects: {
    record: async (personas) => {
      const project = await personas.project()
      const failed = { final_mark: 0, locked_at: PAST, closed_at: PAST, status: 'finished' }
      const { id } = await team(personas, project, failed)
      await personas.world.database.rows(
        `update projects_users set status = 'finished', final_mark = 0, marked_at = $2, validated = false
         where current_team_id = $1`,
        [id, PAST],
      )
      return project.project
    },
    creation: async () => ({}),
  },
  projects_users: {
    record: async (personas) => {
      const { project } = await personas.project()
      return personas.world.build.record('projects_users', { user_id: personas.id.owner, project_id: project })
    },
    creation: async (personas) => ({ project_id: (await personas.project()).project }),
  },
  teams: {
    record: async (personas) => (await team(personas, await personas.project())).id,
    creation: async (personas) => ({ project_id: (await personas.project()).project }),
    elements: { teams_users_attributes: async ({ bystander }) => ({ user_id: bystander }) },
  },
  // The owner is invited, the teammate leads.
  teams_users: {
    record: async (personas) => {
      const project = await personas.project()
      const { id: team_id } = await team(personas, project, { leader: 'teammate' })
      return personas.world.build.record('teams_users', { team_id, user_id: personas.id.owner, validated: false })
    },
    creation: async (personas) => ({
      team_id: (await team(personas, await personas.project())).id,
      user_id: personas.bystander,
    }),
  },
  // The evaluator corrects, and the time has come.
  scale_teams: {
    record: async (personas) => {
      const { id: team_id, scale } = await waitingTeam(personas)
      // A corrector has one team at a time.
      await personas.world.database.rows('delete from scale_teams')
      const booking = { team_id, scale_id: scale, user_id: personas.id.evaluator, begin_at: PAST }
      return personas.world.build.record('scale_teams', booking)
    },
    creation: async (personas) => {
      const { id: team_id, scale } = await waitingTeam(personas)
      const user_id = await personas.world.build.user()
      await offered(personas.world, user_id, SOON)
      return { team_id, scale_id: scale, user_id, begin_at: SOON }
    },
    elements: {
      answers_attributes: async ({ world }) => {
        const [newest] = await world.database.rows('select max(id) from scales')
        const section_id = await world.build.record('sections', { scale_id: Number(newest?.[0]), name: 'Robots' })
        return { question_id: await world.build.record('questions', { section_id, name: 'Do they?' }), value: 3 }
      },
    },
  },
  slots: {
    record: async (personas) => (await offered(personas.world, personas.id.owner, personas.halfHour()))[0] as number,
    creation: async (personas) => {
      const begin_at = personas.halfHour()
      return { begin_at, end_at: new Date(Date.parse(begin_at) + HALF_HOUR_MS).toISOString() }
    },
  },
}

async function expertise({ world, word }: Personas, user_id?: number): Promise<Values> {
  const slug = word()
  const expertise_id = await world.build.record('expertises', { name: slug, slug, kind: 'languages' })
  return { expertise_id, value: 1, ...(user_id ? { user_id } : {}) }
}

const event = ({ world, word }: Personas) =>
  world.build.record('events', {
    name: word(),
    description: 'Bring a friend',
    kind: 'conference',
    max_people: 30,
    begin_at: '2026-03-09T10:00:00Z',
    end_at: '2026-03-09T12:00:00Z',
  })

/** An event without a limit of places. */
async function attended(personas: Personas): Promise<number> {
  const event_id = await event(personas)
  for (const person of PEOPLE)
    await personas.world.build.record('events_users', { event_id, user_id: personas.id[person] })
  return event_id
}

async function topic({ world, word, id }: Personas): Promise<number> {
  return world.build.record('topics', {
    name: word(),
    language_id: await world.build.language(),
    author_id: id.owner,
  })
}

async function message(personas: Personas): Promise<number> {
  const messageable_id = await topic(personas)
  return personas.world.build.record('messages', { messageable_id, content: 'Mine', author_id: personas.id.owner })
}

/** The owner's team, in which the teammate is too. */
async function team(
  { world, id }: Personas,
  project: Project,
  { leader = 'owner', ...more }: Values & { leader?: Person } = {},
) {
  const team_id = await world.build.record('teams', {
    name: 'Ours',
    project_id: project.project,
    project_session_id: project.session,
    repo_uuid: `uuid-${project.project}`,
    ...more,
  })
  for (const person of leader === 'owner' ? (['owner', 'teammate'] as const) : (['teammate'] as const)) {
    const mine = { user_id: id[person], project_id: project.project }
    await world.build.record('teams_users', {
      team_id,
      user_id: id[person],
      leader: person === leader,
      projects_user_id: await world.build.record('projects_users', { ...mine, current_team_id: team_id }),
    })
  }
  return { id: team_id, scale: project.scale }
}

async function waitingTeam(personas: Personas) {
  const handedIn = { locked_at: PAST, closed_at: PAST, status: 'waiting_for_correction' }
  return team(personas, await personas.project(), handedIn)
}
