import type { CoalitionOfUser, SeenHost, SittingUser } from '../../school/domain/school/seats.ts'

export type Seat = {
  readonly host: string
  /** Label of the seat in its row; the host name if unknown. */
  readonly post: string
  readonly sitting: SittingUser | undefined
  readonly coalition: CoalitionOfUser | undefined
}

type Row = { readonly row: string; readonly seats: readonly Seat[] }

/** The floor is '' for hosts without a floor. */
export type Floor = { readonly floor: string; readonly rows: readonly Row[] }

type Place = { readonly floor: string; readonly row: string; readonly post: string }

/** Reads `c1r2p3` and `e1z2r3s4` from the end: floor, row and post. */
const HOST = /(\d+)\p{L}*r(\d+)\p{L}+(\d+)$/iu

/** Reads the place from the record, else from the name of the host. */
export function placeOf({ host, floor, row, post }: SeenHost): Place | undefined {
  if (floor !== null && row !== null && post !== null) return { floor, row, post }
  const [, byFloor, byRow, byPost] = HOST.exec(host) ?? []
  return byFloor && byRow && byPost ? { floor: byFloor, row: byRow, post: byPost } : undefined
}

const natural = new Intl.Collator('en', { numeric: true })

export type Campus = {
  readonly hosts: readonly SeenHost[]
  readonly sittings: readonly SittingUser[]
  readonly coalitions: readonly CoalitionOfUser[]
}

/** Groups seats by floor, row and post in numeric order. Hosts without a known place come last. */
export function floorsOf({ hosts, sittings, coalitions }: Campus): readonly Floor[] {
  const taken = new Map(sittings.map((sitting) => [sitting.host, sitting]))
  const houses = new Map(coalitions.map((coalition) => [coalition.userId, coalition]))
  const known = new Map([...hosts, ...sittings].map((one) => [one.host, one]))
  const placed = [...known.values()].map((one) => {
    const sitting = taken.get(one.host)
    const place = placeOf(one)
    const coalition = sitting && houses.get(sitting.user.id)
    return { place, seat: { host: one.host, post: place?.post ?? one.host, sitting, coalition } }
  })
  return [...Map.groupBy(placed, ({ place }) => place?.floor ?? '')]
    .sort(([one], [other]) => (one === '' ? 1 : other === '' ? -1 : natural.compare(one, other)))
    .map(([floor, seats]) => ({ floor, rows: rowsOf(seats) }))
}

function rowsOf(seats: readonly { readonly place: Place | undefined; readonly seat: Seat }[]): readonly Row[] {
  return [...Map.groupBy(seats, ({ place }) => place?.row ?? '')]
    .map(([row, ofRow]) => ({
      row,
      seats: ofRow.map(({ seat }) => seat).sort((one, other) => natural.compare(one.post, other.post)),
    }))
    .sort((one, other) => natural.compare(one.row, other.row))
}

export const seatsOf = ({ rows }: Floor): readonly Seat[] => rows.flatMap(({ seats }) => seats)
