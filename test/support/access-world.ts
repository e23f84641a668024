import assert from 'node:assert/strict'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { Route } from '@campus/engine/rest/route-table'
import type { CallerName } from './access-table.ts'
import type { World } from './campus.ts'
import type { Client } from './client.ts'
import { FACTORY_DEFINITIONS } from './factory-definitions.ts'
import { ownedApplication } from './owned-application.ts'
import { openProject } from './projects.ts'
import { createRecordFactory } from './record-factory.ts'

/** A school with a user who has records, and the callers of the access table. */
export type AccessWorld = {
  /** `own` is the owner's token, `other` another user's. `scopes` leaves out some, or names the only ones. */
  caller(name: CallerName, scopes?: Scopes): Promise<Client>
  /** A caller with the same rights and a new token, which a test may revoke. */
  another(name: CallerName): Promise<Client>
  /** An application with this one role and every scope. */
  holder(role: string): Promise<Client>
  /** A path of the route: below records that are there, to the owner's record where the resource has such. */
  pathOf(route: Route, id?: number): string
  /** The payload of another user who would create a record in the owner's name. */
  inOwnersName(route: Route): Readonly<Record<string, unknown>>
  /** Returns a digest of all records of all resources. */
  fingerprint(): Promise<string>
}

type Scopes = { readonly without: string } | { readonly only: readonly string[] }

const EVERY_SCOPE = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']

export async function accessWorld(world: World, registry: Registry): Promise<AccessWorld> {
  const { build, database } = world
  const [owner, other] = [await build.user(), await build.user()]
  // Applications are made by the callers that come up along the way.
  const tables = [...new Set(registry.resources.map(({ table }) => table))].filter((table) => table !== 'applications')
  const factory = await createRecordFactory(world, registry)
  // Webhooks are managed with a token of their application.
  const application = await ownedApplication(world, owner, EVERY_SCOPE)
  // Resources below several parents get a record for each (`events/feedbacks`).
  const ids = await firstIds()
  const idOf = (resource: string): number => ids.get(resource) ?? assert.fail(`there is no record of ${resource}`)
  const payloads = await giveRecords()
  const clients = new Map<string, Promise<Client>>()

  /** A record of every resource: the oldest that is there or, where there is none, one by its definition. */
  async function firstIds(): Promise<Map<string, number>> {
    const parts = registry.resources.map(({ name, table }) => `select '${name}', min(id) from "${table}"`)
    const found = new Map<string, number>()
    for (const [name, id] of await database.rows(parts.join(' union all '))) {
      if (id !== null) found.set(name as string, Number(id))
      else if (FACTORY_DEFINITIONS[name as string]) found.set(name as string, await factory.make(name as string))
    }
    return found.set('users', owner)
  }

  /** Gives the owner a record of each resource that people may have for themselves. */
  async function giveRecords() {
    const [about, project] = [idOf('events'), await openProject(world)]
    const topic = { name: 'Lost and found', language_id: idOf('languages'), kind: 'normal', author_id: owner }
    ids.set(
      'expertises_users',
      await build.record('expertises_users', { expertise_id: idOf('expertises'), user_id: owner, value: 1 }),
    )
    ids.set('events_users', await build.record('events_users', { event_id: about, user_id: owner }))
    const feedback = { user_id: owner, feedbackable_type: 'Event', feedbackable_id: about, comment: 'Kind' }
    ids.set('events/feedbacks', await build.record('feedbacks', feedback))
    const times = { begin_at: '2026-03-09T10:00:00Z', end_at: '2026-03-09T12:00:00Z' }
    const another = await build.record('events', { name: 'Chess', description: 'Play', kind: 'other', ...times })
    ids.set('feedbacks', await build.record('feedbacks', { ...feedback, feedbackable_id: another }))
    ids.set('topics', await build.record('topics', topic))
    ids.set(
      'languages_users',
      await build.record('languages_users', { user_id: owner, language_id: idOf('languages') }),
    )
    const message = { messageable_id: idOf('topics'), content: 'A red umbrella', author_id: owner }
    ids.set('messages', await build.record('messages', message))

    const vote = { message_id: idOf('messages'), user_id: owner, kind: 'upvote' }
    ids.set('votes', await build.record('votes', vote))

    const { session: project_session_id, project: project_id, scale: scale_id } = project
    await build.record('campus_users', { user_id: other, campus_id: project.campus, is_primary: true })
    await build.record('cursus_users', { user_id: other, cursus_id: project.cursus, begin_at: '2026-01-01T00:00:00Z' })
    // Handed in, so that not even its members may dissolve it before all is done.
    const handedIn = { locked_at: '2026-03-01T00:00:00Z', closed_at: '2026-03-01T00:00:00Z', repo_uuid: 'ours' }
    ids.set('teams', await build.record('teams', { name: 'Ours', project_id, project_session_id, ...handedIn }))
    const mine = {
      user_id: owner,
      projects_user_id: await build.record('projects_users', { user_id: owner, project_id }),
    }
    ids.set('projects_users', mine.projects_user_id)
    ids.set('projects', project_id)
    ids.set('teams_users', await build.record('teams_users', { team_id: idOf('teams'), leader: true, ...mine }))
    const upload_id = await build.record('uploads', { name: 'Robot', evaluation_id: project.evaluation })
    ids.set('teams_uploads', await build.record('teams_uploads', { team_id: idOf('teams'), upload_id, final_mark: 50 }))
    const booking = { team_id: idOf('teams'), scale_id, user_id: owner, begin_at: '2026-03-09T10:00:00Z' }
    ids.set('scale_teams', await build.record('scale_teams', booking))
    const onEvaluation = { ...feedback, feedbackable_type: 'ScaleTeam', feedbackable_id: idOf('scale_teams') }
    ids.set('scale_teams/feedbacks', await build.record('feedbacks', onEvaluation))

    const slot = { user_id: owner, begin_at: '2026-03-05T10:00:00Z', end_at: '2026-03-05T10:15:00Z' }
    ids.set('slots', await build.record('slots', slot))

    ids.set('apps', application)
    const subscribed = {
      application_id: application,
      model: 'location',
      event: 'close',
      url: 'https://hooks.campus.test',
    }
    const sealed = { secret: 'sealed elsewhere', relation: 'locations', active: false }
    ids.set('webhooks', await build.record('webhooks', { ...subscribed, ...sealed }))

    const membership = { team_id: idOf('teams'), user_id: other }
    const sent: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      scale_teams: booking,
      teams_users: membership,
      feedbacks: feedback,
      topics: topic,
      messages: message,
      votes: vote,
      webhooks: subscribed,
    }
    return sent
  }

  function client(options: Parameters<World['caller']>[0]): Promise<Client> {
    const key = JSON.stringify(options)
    const known = clients.get(key) ?? world.caller(options)
    clients.set(key, known)
    return known
  }

  function optionsOf(name: Exclude<CallerName, 'none'>, scopes: readonly string[]) {
    switch (name) {
      case 'public':
        return { scopes: ['public'] }
      case 'other':
        return { user: other, scopes }
      case 'own':
        return { user: owner, scopes, application }
      case 'tutor':
        return { roles: ['Advanced Tutor'], scopes }
      case 'staff':
        return { roles: ['Advanced Staff'], scopes }
    }
  }

  return {
    async caller(name, scopes) {
      const granted = !scopes
        ? EVERY_SCOPE
        : 'only' in scopes
          ? scopes.only
          : EVERY_SCOPE.filter((one) => one !== scopes.without)
      return name === 'none' ? world.anonymous : client(optionsOf(name, granted))
    },
    another: async (name) => (name === 'none' ? world.anonymous : world.caller(optionsOf(name, EVERY_SCOPE))),
    holder: (role) => client({ roles: [role], scopes: EVERY_SCOPE }),
    pathOf(
      { path, chain, resource },
      id = ids.get(`${chain.at(-1)?.resource}/${resource.name}`) ?? idOf(resource.name),
    ) {
      const named = chain.reduce(
        (text, { resource: parent }) => text.replace(`:${registry.get(parent).singular}_id`, String(idOf(parent))),
        path,
      )
      return named
        .replace(':id', String(id))
        .replace(':field', resource.graph?.default ?? '')
        .replace(':interval', 'day')
    },
    inOwnersName: ({ resource: { name, singular } }) => ({ [singular]: payloads[name] ?? { user_id: owner } }),
    async fingerprint() {
      // The transaction that wrote a row is another after every change of it, and costs a tenth of looking at all that is in it.
      const parts = tables.map((table) => `select '${table}', count(*), sum(xmin::text::bigint) from "${table}"`)
      return JSON.stringify(await database.rows(parts.join(' union all ')))
    },
  }
}
