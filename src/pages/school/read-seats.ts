import { cleanPlan, namesIn, type PlanElement } from '../../domain/school/clean-plan.ts'
import { seatPlansOf } from '../../domain/school/seat-plans.ts'
import { coalitionsOfUsers, seenHosts } from '../../domain/school/seats.ts'
import type { Caller } from '../../http/caller.ts'
import { type ApiAnswer, callApi } from '../ask.ts'
import type { PageContext } from '../page-context.ts'
import { say } from '../say.ts'
import { type Floor, floorsOf, type Seat, type Sitting, seatsOf } from './seats.ts'

/** A part of a campus that is shown at once: a floor by its rows, or as staff drew it. */
export type Area = {
  /** As addresses name it. */
  readonly name: string
  readonly label: string
  readonly seats: readonly Seat[]
  readonly rows?: Floor['rows']
  readonly plan?: PlanElement
}

/** Who sits where at a campus. */
export type Seats = { readonly areas: readonly Area[]; readonly sittings: ApiAnswer<readonly Sitting[]> }

/** A page of the API's largest size. */
const SEATS_A_PAGE = 100
const MAX_PAGES = 30

/** Reads who sits where at a campus, as this caller may see it. */
export async function readSeats(context: PageContext, caller: Caller, campusId: number): Promise<Seats> {
  const { database, clock } = context.dependencies
  const sittings = await sittingsAt(context, caller, campusId)
  const hosts = await seenHosts(database, campusId, clock.now())
  const users = sittings.value.map(({ user }) => user.id)
  const coalitions = users.length === 0 ? [] : await coalitionsOfUsers(database, users)
  const plans = (await seatPlansOf(database, campusId)).map(({ name, svg }) => ({ name, plan: cleanPlan(svg) }))
  const campus = { sittings: sittings.value, coalitions }
  const drawn = new Set(plans.flatMap(({ plan }) => namesIn(plan)))
  const floors = floorsOf({ ...campus, hosts: hosts.filter(({ host }) => !drawn.has(host)) })
  const known = new Map(
    floorsOf({ ...campus, hosts })
      .flatMap(seatsOf)
      .map((seat) => [seat.host, seat]),
  )
  return {
    sittings,
    areas: [
      ...plans.map(({ name, plan }) => ({
        name,
        label: name,
        plan,
        seats: namesIn(plan).flatMap((host) => known.get(host) ?? []),
      })),
      ...floors.flatMap((floor) => areaOf(floor, drawn)),
    ],
  }
}

/** A floor by its rows. A computer whose place is unknown is shown while somebody sits there. */
function areaOf({ floor, rows }: Floor, drawn: ReadonlySet<string>): readonly Area[] {
  const shown = rows
    .map(({ row, seats }) => ({
      row,
      seats: seats.filter(({ host, sitting }) => !drawn.has(host) && (floor !== '' || sitting !== undefined)),
    }))
    .filter(({ seats }) => seats.length > 0)
  if (shown.length === 0) return []
  const label = floor === '' ? say('Elsewhere') : say('Floor {floor}', { floor })
  return [{ name: floor === '' ? 'elsewhere' : floor, label, rows: shown, seats: seatsOf({ floor, rows: shown }) }]
}

/** Those who are logged in, by host. */
async function sittingsAt(context: PageContext, caller: Caller, campusId: number): Promise<Seats['sittings']> {
  const pageOf = (number: number) =>
    callApi<readonly Sitting[]>(context, caller, {
      method: 'GET',
      path: '/v2/campus/:campus_id/locations',
      params: { campus_id: campusId },
      query: { 'filter[active]': 'true', sort: 'host', per_page: SEATS_A_PAGE, page: number },
    })
  const first = await pageOf(1)
  const pages = Math.min(MAX_PAGES, Math.ceil(first.total / SEATS_A_PAGE))
  const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => pageOf(index + 2)))
  return { ...first, value: [first, ...others].flatMap(({ value }) => value) }
}

export const isTaken = ({ sitting }: Seat): boolean => sitting !== undefined

/** The area to show: the one that is asked for, else where somebody was found, else where most people are. */
export function chosenArea(areas: readonly Area[], asked: string, found: Seat | undefined): Area | undefined {
  const busiest = areas.toSorted((one, other) => other.seats.filter(isTaken).length - one.seats.filter(isTaken).length)
  return (
    (found && areas.find(({ seats }) => seats.includes(found))) ??
    areas.find(({ name }) => name === asked) ??
    busiest[0]
  )
}

const spelled = new Intl.Collator('en', { sensitivity: 'base', usage: 'search' })

/** The seat of somebody who is logged in: by login, else by a word with which their name begins. */
export function seatOfPerson(areas: readonly Area[], asked: string): Seat | undefined {
  const wanted = asked.trim()
  if (wanted === '') return undefined
  const taken = areas.flatMap(({ seats }) => seats.filter(isTaken))
  const begins = (text: string) => spelled.compare(text.slice(0, wanted.length), wanted) === 0
  return (
    taken.find(({ sitting }) => sitting && spelled.compare(sitting.user.login, wanted) === 0) ??
    taken.find(({ sitting }) => sitting && [sitting.user.login, sitting.user.displayname].some(begins)) ??
    taken.find(({ sitting }) => sitting?.user.displayname.split(' ').some(begins))
  )
}
