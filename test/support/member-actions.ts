import { closedTeam } from './factory-definitions.ts'
import type { RecordFactory } from './record-factory.ts'

type Member = { readonly id: number; readonly body?: Readonly<Record<string, unknown>> }

/** A record on which the member action does something, and what it is sent: any record, and nothing, unless said here. */
export const memberOf = async (factory: RecordFactory, action: string, resource: string): Promise<Member> =>
  (await MEMBERS[action]?.(factory)) ?? { id: await factory.make(resource) }

const MEMBERS: Readonly<Record<string, (factory: RecordFactory) => Promise<Member>>> = {
  'users correction_points/add': async ({ make }) => ({
    id: await make('users'),
    body: { reason: 'Showed visitors round', amount: 2 },
  }),
  'users correction_points/remove': async ({ make }) => ({ id: await make('users'), body: { reason: 'Did not come' } }),
  'users free_past_agu': async ({ make }) => ({ id: await make('users'), body: { duration: 7, reason: 'An illness' } }),
  'users unfreeze': async ({ make }) => {
    const user_id = await make('users')
    await make('anti_grav_units_users', { user_id })
    return { id: user_id }
  },
  'users set_primary_campus': async ({ make }) => ({
    id: await make('users'),
    body: { campus_id: await make('campus') },
  }),
  'projects retry': async (factory) => {
    const { user_id, project_id } = await failedTry(factory)
    return { id: project_id, body: { user_id, force: true } }
  },
  'projects_users retry': async (factory) => ({ id: (await failedTry(factory)).id, body: { force: true } }),
  'projects_users scale': async (factory) => {
    const { id, user_id, project_id } = await failedTry(factory)
    return { id, body: { user_id, project_id, scale: 80 } }
  },
  'projects_users reset': async (factory) => {
    const { id, user_id, project_id } = await failedTry(factory)
    return { id, body: { user_id, project_id } }
  },
  'pools points/add': async ({ make }) => ({ id: await make('pools'), body: { points: 10 } }),
  'pools points/remove': async ({ make }) => ({
    id: await make('pools', { current_points: 20 }),
    body: { points: 10 },
  }),
  'webhooks test': async ({ find, make }) => {
    await find('locations')
    return { id: await make('webhooks', { active: true }) }
  },
  'endpoints callback': async ({ make }) => ({
    id: await make('endpoints'),
    body: {
      url: 'https://accounts.test/users',
      user_id: await make('users'),
      initial_data: { login: 'abyron' },
      response_data: { status: 'created' },
    },
  }),
}

/** A user's enrolment in a project on which their team got too low a mark. */
async function failedTry(factory: RecordFactory) {
  const { team_id } = await closedTeam(factory)
  await factory.administrator.patch(`/v2/teams/${team_id}`, { team: { final_mark: 10 } })
  const { project_id, users } = await factory.get(`/v2/teams/${team_id}`)
  return { id: users[0].projects_user_id, user_id: users[0].id, project_id }
}
