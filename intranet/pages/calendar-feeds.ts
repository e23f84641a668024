import { inSlices } from '@campus/engine/base/slices'
import { notFound } from '@campus/engine/errors'
import { isKnownVersion } from '@campus/engine/http/if-none-match'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isCalendarToken } from '../access/calendars.ts'
import { campusAgenda, ownAgenda } from '../school/domain/school/agenda-between.ts'
import { ENGLISH, inLanguage } from '../settings/languages.ts'
import { type Calendar, CalendarCache } from './calendar-cache.ts'
import { calendarText, REFRESH_SECONDS } from './calendar-text.ts'
import type { PageDependencies } from './page-context.ts'

export const CALENDAR_ROUTES = [
  { method: 'GET', path: '/v2/users/:id/agenda.ics' },
  { method: 'GET', path: '/v2/campus/:id/agenda.ics' },
] as const
const [OF_USER, OF_CAMPUS] = CALENDAR_ROUTES

const DAY_MS = 86_400_000
const [DAYS_BACK, DAYS_AHEAD] = [60, 400]

type Dependencies = Pick<PageDependencies, 'config' | 'database' | 'clock' | 'sealer'>
type Asked = { Params: { id: string }; Querystring: { of?: unknown; token?: unknown } }

export function mountCalendarFeeds(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, config } = dependencies
  const { baseUrl } = config
  const [language = ENGLISH] = config.languages.ofSchool
  const calendars = new CalendarCache(database.changes)
  app.get<Asked>(OF_USER.path, (request, reply) =>
    inLanguage(language, async () => {
      const user = await subscriber(dependencies, Number(request.params.id), request.query.token)
      const { day, stamp, ...span } = spanOf(dependencies)
      const calendar = await calendars.get(`user ${user.id}`, day, async () => {
        const entries = await ownAgenda(database, { userId: user.id, ...span })
        return inSlices(calendarText({ name: user.login, entries, baseUrl, now: stamp }))
      })
      return send(request, reply, calendar)
    }),
  )
  app.get<Asked>(OF_CAMPUS.path, (request, reply) =>
    inLanguage(language, async () => {
      const user = await subscriber(dependencies, Number(request.query.of), request.query.token)
      const campus = await database.kysely
        .selectFrom('campus')
        .select(['id', 'name'])
        .where('id', '=', idOr0(Number(request.params.id)))
        .executeTakeFirst()
      if (!campus) throw notFound('There is no such campus.')
      const { day, stamp, ...span } = spanOf(dependencies)
      const calendar = await calendars.get(`campus ${campus.id} of ${user.id}`, day, async () => {
        const entries = await campusAgenda(database, { userId: user.id, campusId: campus.id, ...span })
        return inSlices(calendarText({ name: campus.name, entries, baseUrl, now: stamp }))
      })
      return send(request, reply, calendar)
    }),
  )
}

const idOr0 = (id: number) => (Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : 0)

/** Finds the owner of a secret address. Throws 404 for every other address, so that it reveals nothing. */
async function subscriber({ database, sealer }: Dependencies, asked: number, token: unknown) {
  const id = idOr0(asked)
  const isRight = await isCalendarToken(database, sealer, { userId: id, token: typeof token === 'string' ? token : '' })
  const user = isRight
    ? await database.kysely
        .selectFrom('users')
        .select(['id', 'login'])
        .where('id', '=', id)
        .where('closed_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (!user) throw notFound('There is no calendar at this address, or its owner has renewed it.')
  return user
}

/** Returns the span of a calendar, and the present as `stamp`. The span changes at midnight UTC only, so its `now` is midnight. */
function spanOf({ clock }: Dependencies) {
  const stamp = clock.now()
  const day = Math.floor(stamp.getTime() / DAY_MS)
  const now = new Date(day * DAY_MS)
  return { day, stamp, now, from: new Date((day - DAYS_BACK) * DAY_MS), until: new Date((day + DAYS_AHEAD) * DAY_MS) }
}

function send({ headers }: FastifyRequest, reply: FastifyReply, { body, etag }: Calendar): FastifyReply {
  reply.headers({
    'cache-control': `private, max-age=${REFRESH_SECONDS}`,
    etag,
    'x-content-type-options': 'nosniff',
  })
  if (isKnownVersion(headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('text/calendar; charset=utf-8').send(body)
}
