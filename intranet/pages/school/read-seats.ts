import type { PlanElement } from '../../school/domain/school/clean-plan.ts'
import { coalitionsOfUsers, type SittingUser, seenHosts, sittingsAt } from '../../school/domain/school/seats.ts'
import type { StoredPlan } from '../../school/domain/school/stored-plans.ts'
import { say } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { type Campus, type Floor, floorsOf, type Seat, seatsOf } from './seats.ts'

/** A part of a campus that a page shows at once: a floor as rows, or a drawing by staff. */
export type Area = {
  /** Value of the query parameter `floor`. */
  readonly name: string
  readonly label: string
  readonly seats: readonly Seat[]
  readonly rows?: Floor['rows']
  readonly drawing?: StoredPlan
}

export type ShownArea = { readonly area: Area; readonly plan: PlanElement | undefined }

/** `shown` are the areas that the page chose. */
export type Seats = {
  readonly areas: readonly Area[]
  readonly shown: readonly ShownArea[]
  readonly sittings: readonly SittingUser[]
}

type Choose = (areas: readonly Area[]) => readonly Area[]

/** Parses only the drawings of the areas that `choose` returns. A floor whose drawing is invalid is shown as rows. */
export async function readSeats({ dependencies }: PageContext, campusId: number, choose: Choose): Promise<Seats> {
  const { database, clock, seatPlans } = dependencies
  const sittings = await sittingsAt(database, campusId)
  const hosts = await seenHosts(database, campusId, clock.now())
  const users = sittings.map(({ user }) => user.id)
  const coalitions = users.length === 0 ? [] : await coalitionsOfUsers(database, users)
  const campus = { sittings, coalitions, hosts }
  let drawings = (await seatPlans.ofCampus(campusId)).filter(({ isReadable }) => isReadable)
  for (;;) {
    const areas = areasOf(campus, drawings)
    const shown: ShownArea[] = []
    const unreadable: StoredPlan[] = []
    for (const area of choose(areas)) {
      const plan = area.drawing && (await seatPlans.parse(area.drawing))
      if (area.drawing && !plan) unreadable.push(area.drawing)
      shown.push({ area, plan })
    }
    if (unreadable.length === 0) return { sittings, areas, shown }
    drawings = drawings.filter((drawing) => !unreadable.includes(drawing))
  }
}

function areasOf(campus: Campus, drawings: readonly StoredPlan[]): readonly Area[] {
  const drawn = new Set(drawings.flatMap(({ hosts }) => hosts))
  const floors = floorsOf({ ...campus, hosts: campus.hosts.filter(({ host }) => !drawn.has(host)) })
  const known = new Map(
    floorsOf(campus)
      .flatMap(seatsOf)
      .map((seat) => [seat.host, seat]),
  )
  return [
    ...drawings.map((drawing) => ({
      name: drawing.name,
      label: drawing.name,
      drawing,
      seats: drawing.hosts.flatMap((host) => known.get(host) ?? []),
    })),
    ...floors.flatMap((floor) => areaOf(floor, drawn)),
  ]
}

/** Shows a computer of unknown floor only while somebody uses it. */
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

export const isTaken = ({ sitting }: Seat): boolean => sitting !== undefined

/** Returns the area of the found person, else the area that the address names, else the area with the most people. */
export function chosenArea(areas: readonly Area[], asked: string, found: Seat | undefined): Area | undefined {
  const busiest = areas.toSorted((one, other) => other.seats.filter(isTaken).length - one.seats.filter(isTaken).length)
  return (
    (found && areas.find(({ seats }) => seats.includes(found))) ??
    areas.find(({ name }) => name === asked) ??
    busiest[0]
  )
}

const spelled = new Intl.Collator('en', { sensitivity: 'base', usage: 'search' })

/** Finds the seat of a logged-in person by login, else by the beginning of the login or of a name. */
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
