import type { FastifyInstance, FastifyReply } from 'fastify'
import ical, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { inLanguage } from '../base/languages/language.ts'
import { type AgendaEntry, campusAgenda, ownAgenda } from '../domain/school/agenda-between.ts'
import { isCalendarToken } from '../domain/school/calendars.ts'
import { notFound } from '../errors.ts'
import type { PageDependencies } from './page-context.ts'
import { say } from './say.ts'

export const CALENDAR_ROUTES = [
  { method: 'GET', path: '/v2/users/:id/agenda.ics' },
  { method: 'GET', path: '/v2/campus/:id/agenda.ics' },
] as const
const [OF_USER, OF_CAMPUS] = CALENDAR_ROUTES

const DAY_MS = 86_400_000
const [DAYS_BACK, DAYS_AHEAD] = [60, 400]
const REFRESH_SECONDS = 900

type Dependencies = Pick<PageDependencies, 'config' | 'database' | 'clock' | 'sealer'>
type Asked = { Params: { id: string }; Querystring: { of?: unknown; token?: unknown } }
type Feed = { readonly name: string; readonly entries: readonly AgendaEntry[] }

/** Serves agendas as calendars (RFC 5545), by the secret addresses of those who subscribe to them. */
export function mountCalendarFeeds(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, config } = dependencies
  const [language = 'en'] = config.languages
  app.get<Asked>(OF_USER.path, ({ params, query }, reply) =>
    inLanguage(language, async () => {
      const user = await subscriber(dependencies, Number(params.id), query.token)
      const entries = await ownAgenda(database, { userId: user.id, ...spanOf(dependencies) })
      return send(reply, dependencies, { name: user.login, entries })
    }),
  )
  app.get<Asked>(OF_CAMPUS.path, ({ params, query }, reply) =>
    inLanguage(language, async () => {
      const user = await subscriber(dependencies, Number(query.of), query.token)
      const campus = await database.kysely
        .selectFrom('campus')
        .select(['id', 'name'])
        .where('id', '=', idOr0(Number(params.id)))
        .executeTakeFirst()
      if (!campus) throw notFound('There is no such campus.')
      const asked = { userId: user.id, campusId: campus.id, ...spanOf(dependencies) }
      return send(reply, dependencies, { name: campus.name, entries: await campusAgenda(database, asked) })
    }),
  )
}

const idOr0 = (id: number) => (Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : 0)

/** The person whose address this is. Throws 404 for every other address, so that it reveals nothing. */
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

function spanOf({ clock }: Dependencies) {
  const now = clock.now().getTime()
  return { from: new Date(now - DAYS_BACK * DAY_MS), until: new Date(now + DAYS_AHEAD * DAY_MS) }
}

function send(reply: FastifyReply, { config, clock }: Dependencies, { name, entries }: Feed): FastifyReply {
  const calendar = ical({
    name,
    prodId: { company: 'Campus Intranet', product: 'agenda' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  for (const entry of entries) {
    calendar.createEvent({
      id: `${entry.kind}-${entry.id}@${new URL(config.baseUrl).host}`,
      stamp: clock.now(),
      start: entry.begin_at,
      // A calendar takes an end before the begin for an error, and some events have both at once.
      end: entry.end_at > entry.begin_at ? entry.end_at : null,
      summary: titleOf(entry),
      location: entry.location,
      url: config.baseUrl + pathOfEntry(entry),
      status: entry.state === 'waiting' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
      busystatus:
        entry.state === 'free' || entry.state === 'open' ? ICalEventBusyStatus.FREE : ICalEventBusyStatus.BUSY,
      transparency:
        entry.state === 'free' || entry.state === 'open'
          ? ICalEventTransparency.TRANSPARENT
          : ICalEventTransparency.OPAQUE,
    })
  }
  return reply
    .type('text/calendar; charset=utf-8')
    .headers({ 'cache-control': `private, max-age=${REFRESH_SECONDS}`, 'x-content-type-options': 'nosniff' })
    .send(calendar.toString())
}

/** What an entry is called, by its kind. */
export function titleOf({ kind, state, title }: AgendaEntry): string {
  if (kind === 'slot') return say('Slot, free')
  if (kind === 'exam') return say('Exam: {name}', { name: title })
  if (kind === 'event') return title
  return state === 'corrector'
    ? say('You evaluate: {name}', { name: title })
    : say('You are evaluated: {name}', { name: title })
}

/** Where an entry is said more of. */
export function pathOfEntry({ kind, id }: AgendaEntry): string {
  if (kind === 'event') return `/events/${id}`
  return kind === 'evaluation' ? `/evaluations/${id}` : kind === 'slot' ? '/evaluations' : '/agenda'
}
