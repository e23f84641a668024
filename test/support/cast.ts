import { SCOPES } from '@campus/intranet/access/scopes'
import type { World } from './campus.ts'
import type { Client } from './client.ts'
import { ownedApplication } from './owned-application.ts'
import { openProject, type Project } from './projects.ts'
import { offered } from './slots.ts'

/**
 * The callers of a side door: the owner, others of the same team or event, a corrector of that team, and a stranger.
 */
export const PEOPLE = ['owner', 'fellow', 'other side', 'stranger'] as const
export type Person = (typeof PEOPLE)[number]

/** People of one campus and cursus, with tokens of theirs that carry every scope. */
export type Cast = {
  readonly world: World
  readonly id: Readonly<Record<Person, number>>
  readonly client: Readonly<Record<Person, Client>>
  /** A user whom they may name. */
  readonly bystander: number
  readonly place: Project
  /** The owner's, whose token theirs is. */
  readonly application: number
  /** Another project of the same cursus, which has not been begun. */
  project(): Promise<Project>
  word(): string
  /** The beginning of a future half hour, which has not been used. */
  halfHour(): string
}

type Values = Readonly<Record<string, unknown>>

/** How a resource is tried: a record that is the owner's, and what each of the people sends to make one. */
export type Stage = {
  record(cast: Cast): Promise<number>
  creation(cast: Cast, person: Person): Promise<Values>
  /** Where it is made below another record only. */
  below?(cast: Cast): string
  /** Elements of `<assoc>_attributes` that are right by themselves. */
  readonly elements?: Readonly<Record<string, (cast: Cast) => Promise<Values>>>
}

const HOOK = { model: 'location', event: 'close', url: 'https://hooks.campus.test' }
const HALF_HOUR_MS = 1_800_000
const [PAST, SOON] = ['2026-03-01T00:00:00.000Z', '2026-03-02T10:30:00.000Z']

export async function assemble(world: World): Promise<Cast> {
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

/** One for each resource that people may write records of their own of. */
export const STAGES: Readonly<Record<string, Stage>> = {
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
    record: async (cast) => cast.world.build.record('expertises_users', await expertise(cast, cast.id.owner)),
    creation: async (cast) => expertise(cast),
  },
  events_users: {
    record: async (cast) => {
      const event_id = await event(cast)
      await cast.world.build.record('events_users', { event_id, user_id: cast.id.fellow })
      return cast.world.build.record('events_users', { event_id, user_id: cast.id.owner })
    },
    creation: async (cast) => ({ event_id: await event(cast) }),
  },
  feedbacks: {
    record: async (cast) => {
      const about = { feedbackable_type: 'Event', feedbackable_id: await attended(cast) }
      return cast.world.build.record('feedbacks', { user_id: cast.id.owner, comment: 'Kind', rating: 3, ...about })
    },
    creation: async (cast) => ({
      feedbackable_type: 'Event',
      feedbackable_id: await attended(cast),
      comment: 'A good evening',
    }),
    elements: { feedback_details_attributes: async () => ({ kind: 'pertinent', rate: 3 }) },
  },
  topics: {
    record: topic,
    creation: async (cast) => ({ name: cast.word(), language_id: await cast.world.build.language() }),
    elements: { messages_attributes: async () => ({ content: 'A red umbrella' }) },
  },
  messages: {
    record: message,
    creation: async (cast) => ({ messageable_id: await topic(cast), content: 'A red umbrella' }),
  },
  votes: {
    record: async (cast) =>
      cast.world.build.record('votes', { message_id: await message(cast), user_id: cast.id.owner, kind: 'upvote' }),
    creation: async (cast) => ({ message_id: await message(cast), kind: 'upvote' }),
  },
  // The owner and the fellow have tried it, and failed.
  projects: {
    record: async (cast) => {
      const project = await cast.project()
      const failed = { final_mark: 0, locked_at: PAST, closed_at: PAST, status: 'finished' }
      const { id } = await team(cast, project, failed)
      await cast.world.database.rows(
        `update projects_users set status = 'finished', final_mark = 0, marked_at = $2, validated = false
         where current_team_id = $1`,
        [id, PAST],
      )
      return project.project
    },
    creation: async () => ({}),
  },
  projects_users: {
    record: async (cast) => {
      const { project } = await cast.project()
      return cast.world.build.record('projects_users', { user_id: cast.id.owner, project_id: project })
    },
    creation: async (cast) => ({ project_id: (await cast.project()).project }),
  },
  teams: {
    record: async (cast) => (await team(cast, await cast.project())).id,
    creation: async (cast) => ({ project_id: (await cast.project()).project }),
    elements: { teams_users_attributes: async ({ bystander }) => ({ user_id: bystander }) },
  },
  // The owner is invited, the fellow leads.
  teams_users: {
    record: async (cast) => {
      const project = await cast.project()
      const { id: team_id } = await team(cast, project, { leader: 'fellow' })
      return cast.world.build.record('teams_users', { team_id, user_id: cast.id.owner, validated: false })
    },
    creation: async (cast) => ({ team_id: (await team(cast, await cast.project())).id, user_id: cast.bystander }),
  },
  // The other side corrects, and the time has come.
  scale_teams: {
    record: async (cast) => {
      const { id: team_id, scale } = await waitingTeam(cast)
      // A corrector has one team at a time.
      await cast.world.database.rows('delete from scale_teams')
      const booking = { team_id, scale_id: scale, user_id: cast.id['other side'], begin_at: PAST }
      return cast.world.build.record('scale_teams', booking)
    },
    creation: async (cast) => {
      const { id: team_id, scale } = await waitingTeam(cast)
      const user_id = await cast.world.build.user()
      await offered(cast.world, user_id, SOON)
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
    record: async (cast) => (await offered(cast.world, cast.id.owner, cast.halfHour()))[0] as number,
    creation: async (cast) => {
      const begin_at = cast.halfHour()
      return { begin_at, end_at: new Date(Date.parse(begin_at) + HALF_HOUR_MS).toISOString() }
    },
  },
}

async function expertise({ world, word }: Cast, user_id?: number): Promise<Values> {
  const slug = word()
  const expertise_id = await world.build.record('expertises', { name: slug, slug, kind: 'languages' })
  return { expertise_id, value: 1, ...(user_id ? { user_id } : {}) }
}

const event = ({ world, word }: Cast) =>
  world.build.record('events', {
    name: word(),
    description: 'Bring a friend',
    kind: 'conference',
    max_people: 30,
    begin_at: '2026-03-09T10:00:00Z',
    end_at: '2026-03-09T12:00:00Z',
  })

/** An event without a limit of places. */
async function attended(cast: Cast): Promise<number> {
  const event_id = await event(cast)
  for (const person of PEOPLE) await cast.world.build.record('events_users', { event_id, user_id: cast.id[person] })
  return event_id
}

async function topic({ world, word, id }: Cast): Promise<number> {
  return world.build.record('topics', {
    name: word(),
    language_id: await world.build.language(),
    author_id: id.owner,
  })
}

async function message(cast: Cast): Promise<number> {
  const messageable_id = await topic(cast)
  return cast.world.build.record('messages', { messageable_id, content: 'Mine', author_id: cast.id.owner })
}

/** The owner's team, in which the fellow is too. */
async function team(
  { world, id }: Cast,
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
  for (const person of leader === 'owner' ? (['owner', 'fellow'] as const) : (['fellow'] as const)) {
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

async function waitingTeam(cast: Cast) {
  const handedIn = { locked_at: PAST, closed_at: PAST, status: 'waiting_for_correction' }
  return team(cast, await cast.project(), handedIn)
}
