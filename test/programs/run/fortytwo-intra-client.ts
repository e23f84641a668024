import library from '@ibertran/fortytwo-intra-client'
import { defaultOf, program } from '../program.ts'

const { FortytwoIntraClient } = defaultOf(library)

/** Counts pages by the number in the last address of `Link`, and sends everything as JSON. */
await program(async ({ uid, secret, redirectUri, allow, school }) => {
  const client = new FortytwoIntraClient(uid, secret, {
    redirect_uri: redirectUri,
    scopes: ['public', 'projects'],
    rateLimitMaxRequests: 20,
    logLine: false,
  })
  const everybody = await client.getAll(`campus/${school.campus}/users`, { perPage: 4, query: { sort: 'id' } })
  const inQuery = await client.getAll('users?filter[kind]=student&sort=-id', { perPage: 100 })
  const byPool = await client.getAll('users?filter[pool_month]=july,august&sort=-created_at,id', { perPage: 5 })
  const members = [{ user_id: school.newcomer, leader: true }]
  const values = { name: 'Byte club', project_id: school.project, teams_users_attributes: members }
  const team = await client.post('teams', { body: { team: values } })
  const renamed = await client.patch(`teams/${team.id}`, { body: { team: { name: 'Bit club' } } })
  const { name } = await client.get(`teams/${team.id}`)
  const removed = await client.delete(`teams/${team.id}`)
  const missing = await client.get('users/nobody-at-all').catch((error: { statusCode: number }) => error.statusCode)
  const { url } = client.getOAuthUrl({ state: 'as sent' })
  const back = await allow(url)
  const token = await client.exchangeOAuthCode(back.searchParams.get('code'))
  const infos = await client.tokenInfos({ token })
  const me = await client.get('me', { token })
  return {
    everybody: everybody.map(({ id }: { id: number }) => id),
    byPool: byPool.map(({ id }: { id: number }) => id),
    inQuery: inQuery.map(({ kind }: { kind: string }) => kind),
    team: [team.name, name, renamed, removed],
    missing,
    state: back.searchParams.get('state'),
    infos: [infos.resource_owner_id, infos.scopes, infos.application.uid],
    me: [me.id, me.login],
  }
})
