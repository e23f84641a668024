// @ts-expect-error It comes without types.
import library from '@ibertran/api42'
import { defaultOf, program } from '../program.ts'

const { Api42 } = defaultOf(library)

/** Lists by the addresses in `Link`, a person by the web application flow, and their sign-on renewed. */
await program(async ({ uid, secret, redirectUri, allow, serves, school }) => {
  const api = new Api42(uid, secret, redirectUri)
  const user = await api.getUser(school.login)
  const everybody = await api.fetch('/v2/users', { pageSize: 25 })
  const years = await api.fetch('/v2/users', { filter: { kind: 'student' }, range: { pool_year: ['2023', '2024'] } })
  const group = await api.getGroupUsers(school.group)
  const [member] = await api.getUserCoalitionUsers(school.coalitionMember)
  const coalition = await member.getCoalition()
  const sessions = await api.getProjectProjectSessions(school.project)
  const back = await allow(api.getOAuthUrl())
  const token = await api.generateUserToken(back.searchParams.get('code'))
  const before = token.access_token
  await api.refreshUserToken(token)
  const me = await api.whoAmI(token)
  const logtime = serves('/v2/users/{user_id}/locations_stats') ? await api.getUserLogtime(school.login) : undefined
  return {
    user: [user.login, user.isActive(), user.cursus_users.length > 0],
    everybody: everybody.map(({ id }: { id: number }) => id),
    years: years.map((one: { pool_year: string }) => one.pool_year),
    group: group.map((one: { user_id: number }) => one.user_id),
    coalition: [coalition.id, coalition.name],
    sessions: sessions.map((one: { project_id: number }) => one.project_id),
    secretValidUntil: api.getSecretValidUntil(),
    renewed: token.access_token !== before,
    me: me.login,
    logtime: logtime && typeof logtime,
  }
})
