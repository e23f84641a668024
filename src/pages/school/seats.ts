/** An open location, as the API shows it; parts of the host's name may be missing. */
export type Sitting = {
  readonly host: string
  readonly floor: string | null
  readonly row: string | null
  readonly post: string | null
  readonly begin_at: string
  readonly user: { readonly login: string; readonly displayname: string }
}

type OccupiedSeat = { readonly post: string; readonly sitting: Sitting }
type Row = { readonly row: string; readonly seats: readonly OccupiedSeat[] }

/** The rows of a floor with their users; undefined where hosts name no floor. */
export type Floor = { readonly floor: string | undefined; readonly rows: readonly Row[] }

type Seat = { readonly floor: string; readonly row: string; readonly post: string }

/** `c1r2p3` and `e1z2r3s4` are both read from their end: floor, row and post. */
const HOST = /(\d+)\p{L}*r(\d+)\p{L}+(\d+)$/iu

/** The seat of a host: as the record has it, else by its name. Undefined where neither has it. */
export function seatOf({ host, floor, row, post }: Omit<Sitting, 'begin_at' | 'user'>): Seat | undefined {
  if (floor !== null && row !== null && post !== null) return { floor, row, post }
  const [, byFloor, byRow, byPost] = HOST.exec(host) ?? []
  return byFloor && byRow && byPost ? { floor: byFloor, row: byRow, post: byPost } : undefined
}

const natural = new Intl.Collator('en', { numeric: true })

/** Users by floor, row and post, in the order of their numbers; hosts without a known seat come last. */
export function floorsOf(sittings: readonly Sitting[]): readonly Floor[] {
  const placed = sittings.map((sitting) => ({ sitting, seat: seatOf(sitting) }))
  const floors = Map.groupBy(placed, ({ seat }) => seat?.floor)
  return [...floors]
    .sort(([one], [other]) => (one === undefined ? 1 : other === undefined ? -1 : natural.compare(one, other)))
    .map(([floor, people]) => ({ floor, rows: rowsOf(people) }))
}

function rowsOf(people: readonly { readonly sitting: Sitting; readonly seat: Seat | undefined }[]): readonly Row[] {
  const rows = Map.groupBy(people, ({ seat }) => seat?.row ?? '')
  return [...rows]
    .map(([row, seated]) => ({
      row,
      seats: seated
        .map(({ sitting, seat }) => ({ post: seat?.post ?? sitting.host, sitting }))
        .sort((one, other) => natural.compare(one.post, other.post)),
    }))
    .sort((one, other) => natural.compare(one.row, other.row))
}
