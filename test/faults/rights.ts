import { systemClock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import { issueToken } from '@campus/intranet/oauth/tokens'
import { createApplication } from '../support/application.ts'
import type { Client } from '../support/client.ts'
import { builderOf } from '../support/row-builder.ts'
import type { Register } from './registers.ts'

const SCOPES = ['public', 'tig']
const ANSWER = 'Well received'

/** Rights that are given and taken: an odd version gives one, an even one takes it. What is read is whether it is there. */
export async function openRights(
  database: Database,
  client: Client,
  /** Writes rows without the service. */
  byHand: Database['rows'],
): Promise<Register[]> {
  const build = builderOf(database)
  const closeOf = (user_id: number) =>
    build.record('closes', { user_id, kind: 'other', reason: 'Away', state: 'unclose' })
  const roles = await database.rows('select name, id from roles')
  const roleId = (name: string) => Number(roles.find(([known]) => known === name)?.[1])

  /** A token of an application of its own, that of a person where one is named. */
  async function tokenOf(role: string | undefined, resourceOwnerId: number | null = null) {
    const named = { name: 'Reader', roles: role ? [role] : [], scopes: SCOPES }
    const rates = { rate_per_second: 1_000_000, rate_per_hour: 100_000_000 }
    const { id } = await database.transaction((tx) => createApplication(tx, { ...named, ...rates }))
    const { token } = await issueToken(database, systemClock, { applicationId: id, resourceOwnerId, scopes: SCOPES })
    return { id, headers: { authorization: `Bearer ${token}` } }
  }

  type Headers = Readonly<Record<string, string>>
  /** Whether the status says that it is there; undefined where it says neither. */
  const byStatus = (path: string, headers: Headers, refusal: number) => async (reader: Client) => {
    const { status } = await reader.get(path, headers)
    return status === 200 ? 1 : status === refusal ? 0 : undefined
  }
  const byAnswer = (delivery: number, headers: Headers) => async (reader: Client) => {
    const { status, json } = await reader.get(`/v2/deliveries/${delivery}`, headers)
    return status === 200 ? Number(json.answer === ANSWER) : undefined
  }
  const isGiven = (version: number) => version % 2 === 1
  const right = (
    name: string,
    write: (gives: boolean, writer: Client) => Promise<boolean>,
    read: Register['read'],
  ) => ({
    name,
    kind: 'switch' as const,
    write: (version: number, writer: Client) => write(isGiven(version), writer),
    read,
  })
  const patched = async (answer: Promise<{ readonly status: number }>) => (await answer).status < 300

  /** A member of the staff who may see what a webservice answered, once what is left out of it is there. */
  async function overseer({ kind = 'admin', isMember = true, isChosen = true } = {}) {
    const endpoint = await build.record('endpoints', { url: 'https://127.0.0.1:9/', active: false })
    const campus = await build.campus(isChosen ? { endpoint_id: endpoint } : {})
    const person = await build.user({ kind })
    if (isMember) await build.record('campus_users', { user_id: person, campus_id: campus, is_primary: true })
    const delivery = await build.record('deliveries', {
      ...{ endpoint_id: endpoint, user_id: person, login: 'ada', event: 'updated', state: 'dead' },
      ...{ record: '{}', answer: ANSWER },
    })
    const { headers } = await tokenOf('Advanced Staff', person)
    return { endpoint, campus, person, read: byAnswer(delivery, headers) }
  }

  const byRole = await tokenOf(undefined)
  const byScope = await tokenOf('Advanced Staff')
  const [owner, other, closed, alumnus] = [
    await build.user(),
    await build.user(),
    await build.user(),
    await build.user(),
  ]
  const owned = await tokenOf(undefined, owner)
  await database.rows('update applications set public = false, owner_id = $2 where id = $1', [owned.id, other])
  const suspended = await tokenOf('Advanced Staff')
  const suspending = await build.user()
  await database.rows('update applications set owner_id = $2 where id = $1', [suspended.id, suspending])
  const [suspendingClose, close] = [await closeOf(suspending), await closeOf(closed)]
  const anybody = await tokenOf(undefined)
  const tutor = await tokenOf('Advanced Tutor')
  const member = await overseer({ isMember: false })
  const admin = await overseer({ kind: 'student' })
  const chief = await overseer({ isMember: false })
  const place = await build.campus()
  await build.record('campus_users', { user_id: alumnus, campus_id: place, is_primary: true })
  const chosen = await overseer({ isChosen: false })

  const rights = [
    right(
      'role of an application',
      (gives, writer) =>
        patched(writer.patch(`/v2/apps/${byRole.id}`, { app: { role_ids: gives ? [roleId('Basic Staff')] : [] } })),
      byStatus('/v2/endpoints', byRole.headers, 403),
    ),
    // Restores the rights for which the token was issued.
    right(
      'scope of an application',
      (gives, writer) =>
        patched(writer.patch(`/v2/apps/${byScope.id}`, { app: { scopes: gives ? SCOPES : ['public'] } })),
      byStatus('/v2/closes', byScope.headers, 403),
    ),
    right(
      'ownership of an application',
      (gives, writer) => patched(writer.patch(`/v2/apps/${owned.id}`, { app: { owner_id: gives ? owner : other } })),
      byStatus(`/v2/apps/${owned.id}`, owned.headers, 404),
    ),
    right(
      'open account of an owner',
      (gives, writer) => patched(writer.patch(`/v2/closes/${suspendingClose}/${gives ? 'unclose' : 'close'}`, {})),
      byStatus('/v2/endpoints', suspended.headers, 401),
    ),
    right(
      'open account',
      (gives, writer) => patched(writer.patch(`/v2/closes/${close}/${gives ? 'unclose' : 'close'}`, {})),
      byStatus(`/v2/users/${closed}`, anybody.headers, 403),
    ),
    right(
      'being an alumnus',
      (gives, writer) => patched(writer.post(`/v2/users/${alumnus}/${gives ? 'alumnize' : 'dealumnize'}`, {})),
      async (reader) => {
        const { status, headers } = await reader.get(`/v2/alumnized_users?campus_id=${place}`, tutor.headers)
        return status === 200 ? Number(headers.get('x-total')) : undefined
      },
    ),
    right(
      'membership of a campus',
      async (gives) => {
        const values = [member.person, member.campus]
        if (gives) await byHand('insert into campus_users (user_id, campus_id) values ($1, $2)', values)
        else await byHand('delete from campus_users where user_id = $1 and campus_id = $2', values)
        return true
      },
      member.read,
    ),
    right(
      'kind of a person',
      (gives, writer) =>
        patched(writer.patch(`/v2/users/${admin.person}`, { user: { kind: gives ? 'admin' : 'student' } })),
      admin.read,
    ),
    right(
      'being an administrator',
      async (gives) => {
        if (gives) await byHand('insert into administrators values ($1, now())', [chief.person])
        else await byHand('delete from administrators where user_id = $1', [chief.person])
        return true
      },
      chief.read,
    ),
    right(
      'webservice of a campus',
      (gives, writer) =>
        patched(
          writer.patch(`/v2/campus/${chosen.campus}`, { campus: { endpoint_id: gives ? chosen.endpoint : null } }),
        ),
      chosen.read,
    ),
  ]
  for (const { write } of rights) await write(0, client)
  return rights
}
