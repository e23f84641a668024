/** Checks the types of the calls that pages make. Only `tsc` reads this file: it reports a `@ts-expect-error` without an error. */
import { ask, type Item, send } from '../../pages/ask.ts'
import type { PersonPageContext } from '../../pages/page-context.ts'

export async function answers(context: PersonPageContext): Promise<readonly unknown[]> {
  const { value: user } = await ask(context, '/v2/users/{id}', { path: { id: 'ada' } })
  const { value: users } = await ask(context, '/v2/users')
  const { value: evaluations } = await ask(context, '/v2/me/scale_teams/as_corrector')
  const team: Item<'/v2/me/teams'> | undefined = (await ask(context, '/v2/me/teams')).value[0]
  return [
    user.cursus_users[0]?.level satisfies number | undefined,
    user.image.link satisfies string | null,
    users.map(({ login }) => login) satisfies readonly string[],
    team?.status === 'waiting_for_correction',
    // @ts-expect-error: no such field
    user.nickname,
    // @ts-expect-error: lists of users leave it out
    users[0]?.cursus_users,
    // @ts-expect-error: null without a location
    user.location.length,
    // @ts-expect-error: left out while the team is secret
    evaluations[0]?.team.name,
    // @ts-expect-error: a word while the corrector is secret
    evaluations[0]?.corrector.login,
    // @ts-expect-error: no such state
    team?.status === 'done',
  ]
}

export const calls = (context: PersonPageContext): readonly Promise<unknown>[] => [
  ask(context, '/v2/campus/{campus_id}/locations', { path: { campus_id: 1 }, query: { 'filter[active]': true } }),
  send(context, 'POST', '/v2/teams', { body: { team: { project_id: '1' } } }),
  // @ts-expect-error: no such route
  ask(context, '/v2/user'),
  // @ts-expect-error: paths have the form of the OpenAPI document
  ask(context, '/v2/users/:id', { path: { id: 1 } }),
  // @ts-expect-error: the route only takes writes
  ask(context, '/v2/search/users'),
  // @ts-expect-error: pages call no other routes than those of the API
  ask(context, '/oauth/token/info'),
  // @ts-expect-error: no value for the parameter of the path
  ask(context, '/v2/users/{id}'),
  // @ts-expect-error: no value for the parameter of the path
  ask(context, '/v2/users/{id}', { path: {} }),
  // @ts-expect-error: another parameter
  ask(context, '/v2/users/{id}', { path: { user_id: 1 } }),
  // @ts-expect-error: no such filter
  ask(context, '/v2/users', { query: { 'filter[nickname]': ['ada'] } }),
  // @ts-expect-error: no such order
  ask(context, '/v2/users', { query: { sort: 'nickname' } }),
  // @ts-expect-error: the route cannot be deleted
  send(context, 'DELETE', '/v2/users/{id}', { path: { id: 1 } }),
  // @ts-expect-error: no body
  send(context, 'POST', '/v2/teams'),
  // @ts-expect-error: a required field is missing
  send(context, 'POST', '/v2/teams', { body: { team: {} } }),
  // @ts-expect-error: no such field
  send(context, 'POST', '/v2/teams', { body: { team: { project_id: 1, nickname: 'x' } } }),
]
