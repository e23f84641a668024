import assert from 'node:assert/strict'
import type { Received } from '@campus/test/support/receiver'

/** A program that others wrote, as far as it is known what it looks at: gives the status that it answers, or throws where it would stumble. */
export type KnownReceiver = (call: Received) => number

type Options = { readonly secret: string }

const header = ({ headers }: Received, name: string) => headers[name]
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any

const isWhole = (value: unknown) => Number.isInteger(value)
const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const isTimeOrNull = (value: unknown) => value === null || isTime(value)

function checkPerson(person: Body): void {
  assert.ok(isWhole(person.id) && typeof person.login === 'string' && typeof person.url === 'string', 'person')
}

/** A corrector as it is read: a short user. */
function checkUser(user: Body): void {
  checkPerson(user)
  for (const name of ['email', 'correction_point', 'pool_month', 'location', 'wallet', 'image_url'])
    assert.ok(name in user, name)
}

function checkScaleTeam(body: Body): void {
  for (const name of ['id', 'project_id', 'project_session_id'])
    assert.ok(isWhole(name === 'id' ? body.id : body.team[name]), name)
  for (const name of ['locked_at', 'closed_at', 'deadline_at', 'terminating_at'])
    assert.ok(isTimeOrNull(body.team[name]), name)
  for (const name of ['id', 'name', 'created_at', 'updated_at', 'final_mark', 'repo_url', 'repo_uuid', 'status'])
    assert.ok(name in body.team, `team.${name}`)
  if (Object.keys(body.truant).length > 0) checkPerson(body.truant)
  assert.deepEqual(Object.keys(body.flag), ['id', 'name', 'positive'])
  assert.ok(isWhole(body.scale.correction_number) && body.scale.duration <= 16, 'quarters of an hour')
  for (const name of ['begin_at', 'filled_at']) assert.ok(isTimeOrNull(body[name]), name)
  for (const name of ['comment', 'old_feedback', 'feedback_rating', 'final_mark']) assert.ok(name in body, name)
  assert.ok(isTime(body.created_at) && isTime(body.updated_at))
  assert.deepEqual(Object.keys(body.project), ['id', 'name', 'slug'])
  assert.equal('corrector' in body, false)
  if (body.user !== null) checkUser(body.user)
}

/** Points of coalitions: one address for all, distinguished by model and event, each with a secret of its own. */
export function coalsys(secrets: Readonly<Record<string, string>>): KnownReceiver {
  return (call) => {
    const [model, event] = [header(call, 'x-model'), header(call, 'x-event')]
    assert.ok(header(call, 'x-delivery'))
    assert.equal(header(call, 'x-secret'), secrets[`${model} ${event}`])
    const { body } = call
    switch (`${model} ${event}`) {
      case 'scale_team update':
        checkScaleTeam(body)
        break
      case 'projects_user update':
        for (const name of ['id', 'project_id', 'user_id', 'occurrence']) assert.ok(isWhole(body[name]), name)
        assert.equal('project' in body || 'user' in body, false)
        for (const name of ['current_team_id', 'final_mark', 'status', 'retriable_at', 'marked_at', 'validated?'])
          assert.ok(name in body, name)
        break
      case 'location close':
        assert.deepEqual(Object.keys(body), ['id', 'begin_at', 'end_at', 'primary', 'host', 'campus_id', 'user'])
        assert.ok(isTime(body.end_at))
        checkPerson(body.user)
        break
      case 'pool point_given':
        assert.ok(isWhole(body.campus_id) && isWhole(body.cursus_id) && isWhole(body.max_points))
        if (body.given_by !== null)
          assert.deepEqual(Object.keys(body.given_by), [
            ...['id', 'first_name', 'last_name', 'usual_first_name', 'email', 'login', 'correction_points'],
          ])
        assert.ok(body.points.current > body.points.old, JSON.stringify(body.points))
        break
      case 'close create':
      case 'close update':
        assert.ok('reason' in body && 'state' in body && 'kind' in body)
        checkPerson(body.user)
        checkPerson(body.closer)
        for (const service of body.community_services)
          assert.deepEqual(Object.keys(service), [
            ...['id', 'close_id', 'tiger_id', 'duration', 'schedule_at', 'occupation', 'token', 'state'],
            ...['created_at', 'updated_at'],
          ])
        break
      default:
        assert.fail(`${model} ${event}`)
    }
    return 200
  }
}

/** Keeps pools in balance: 412 for a wrong secret, 208 for a repeat, 400 without a header. */
export function balancer({ secret }: Options): KnownReceiver {
  const seen = new Set<unknown>()
  return (call) => {
    const delivery = header(call, 'x-delivery')
    if (!delivery || !header(call, 'x-model') || !header(call, 'x-event')) return 400
    if (header(call, 'x-secret') !== secret) return 412
    if (seen.has(delivery)) return 208
    seen.add(delivery)
    checkScaleTeam(call.body)
    return 200
  }
}

/** Evaluations of peers: JSON only, three addresses, 401 for a wrong secret; `user` is null for a placeholder. */
export function peerpp({ secret }: Options): KnownReceiver {
  const seen = new Set<unknown>()
  return (call) => {
    if (header(call, 'content-type') !== 'application/json') return 400
    if (header(call, 'x-secret') !== secret) return 401
    const delivery = header(call, 'x-delivery')
    if (seen.has(delivery)) return 200
    seen.add(delivery)
    if (call.path.endsWith('/delete')) assert.ok(isWhole(call.body.id))
    else checkScaleTeam(call.body)
    return 204
  }
}

/** Announces events: looks at nothing but the body and the secret of its address. */
export function hive({ secret }: Options): KnownReceiver {
  return (call) => {
    if (header(call, 'x-secret') !== secret) return 500
    const { cursus_ids, campus_ids, name, begin_at, max_people } = call.body
    assert.ok(Array.isArray(cursus_ids) && Array.isArray(campus_ids) && typeof name === 'string' && isTime(begin_at))
    assert.ok(max_people === null || isWhole(max_people))
    for (const one of ['description', 'location']) assert.ok(one in call.body, one)
    return 200
  }
}
