import type { Caller } from '@campus/engine/http/caller'
import { MAX_PLAN_BYTES } from '../../school/domain/school/clean-plan.ts'
import { findKiosk } from '../../school/domain/school/kiosks.ts'
import { callerOf } from '../actor.ts'
import { askAs } from '../ask.ts'
import { html, say } from '../html.ts'
import { type PageContent, type PageContext, page, pageContent, recordId, redirectTo } from '../page.ts'
import { kioskCaller, kioskOf } from './kiosk-caller.ts'
import { type Area, readSeats } from './read-seats.ts'
import { occupancyOf, seatMap } from './seat-map.ts'

const isLive = { tables: ['locations', 'coalitions_users', 'seat_plans', 'kiosks'], seconds: 60 } as const

const wall = page({
  path: '/campuses/:id/wall',
  access: 'signed-in',
  isLive,
  show: (context) => wallOf(context, callerOf(context), recordId(context)),
})

/** Shows the wall to a screen without a signed-in person, by a token from staff. */
const kioskWall = page({
  path: '/wall',
  access: 'anybody',
  hasHead: false,
  isLive,
  async show(context) {
    const token = context.query.text('token')
    if (token !== '' && (await findKiosk(context.dependencies.database, token))) {
      // Passers-by would see the token in the address.
      context.setKioskToken(token)
      return redirectTo('/wall')
    }
    const kiosk = token === '' ? await kioskOf(context) : undefined
    if (kiosk) return wallOf(context, kioskCaller, kiosk.campusId)
    return pageContent(
      say('This screen shows nothing'),
      html`<p>${say('Its link was taken back, or is not complete. Staff of the campus make another one, on the page Plans and screens of the campus.')}</p>`,
      { status: 403, frame: 'bare', isNarrow: true },
    )
  },
})

export const WALL_PAGES = [...wall, ...kioskWall]

const MAX_SEATS = 400
const MAX_DRAWN_BYTES = 4 * MAX_PLAN_BYTES

/** Reports whether areas have more seats or bytes of drawings than one screen shows. */
function areTooMany(areas: readonly Area[]): boolean {
  const seats = areas.reduce((sum, area) => sum + area.seats.length, 0)
  const bytes = areas.reduce((sum, { drawing }) => sum + (drawing?.bytes ?? 0), 0)
  return seats > MAX_SEATS || bytes > MAX_DRAWN_BYTES
}

async function wallOf(context: PageContext, caller: Caller, id: number): Promise<PageContent> {
  const found = await askAs(context, caller, '/v2/campus/{id}', { path: { id } })
  const asked = context.query.text('floor')
  const { shown, sittings } = await readSeats(context, id, (areas) => {
    const wanted = areas.filter(({ name }) => asked === '' || name === asked)
    // A large campus has a screen for each floor.
    const first = wanted.findIndex((_, at) => areTooMany(wanted.slice(0, at + 1)))
    return first < 0 ? wanted : wanted.slice(0, Math.max(1, first))
  })
  return pageContent(
    found.value.name,
    html`<button type="button" class="second for-scripts full-screen" data-full-screen>${say('Full screen')}</button>
    <div data-refresh="wall" data-watch="page">
      <p class="lead">${say('{count, plural, =0 {Nobody is} one {# person is} other {# people are}} logged in', { count: sittings.length })}</p>
      <div class="wall">${shown.map(
        (one) => html`
        <section><h2>${one.area.label} <span class="quiet">${occupancyOf(one.area)}</span></h2>${seatMap(one, { hasLinks: false })}</section>`,
      )}</div></div>`,
    { frame: 'none', scripts: ['refresh', 'full-screen'] },
  )
}
