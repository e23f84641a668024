import { cleanPlan, namesIn, type PlanElement } from '../../domain/school/clean-plan.ts'
import { seatPlansOf } from '../../domain/school/seat-plans.ts'
import { coalitionsOfUsers, type SittingUser, seenHosts, sittingsAt } from '../../domain/school/seats.ts'
import type { PageContext } from '../page-context.ts'
import { say } from '../say.ts'
import { type Floor, floorsOf, type Seat, seatsOf } from './seats.ts'

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
export type Seats = { readonly areas: readonly Area[]; readonly sittings: readonly SittingUser[] }

/** Reads who sits where at a campus. */
export async function readSeats({ dependencies }: PageContext, campusId: number): Promise<Seats> {
  const { database, clock } = dependencies
  const sittings = await sittingsAt(database, campusId)
  const hosts = await seenHosts(database, campusId, clock.now())
  const users = sittings.map(({ user }) => user.id)
  const coalitions = users.length === 0 ? [] : await coalitionsOfUsers(database, users)
  const plans = (await seatPlansOf(database, campusId)).map(({ name, svg }) => ({ name, plan: cleanPlan(svg) }))
  const campus = { sittings, coalitions }
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
