/** A quarter of an hour that the user offers, as the API shows it to them. */
export type Slot = {
  readonly id: number
  readonly begin_at: string
  readonly end_at: string
  readonly scale_team: unknown
}

/** Quarters that follow on each other and are all free, or all booked. */
export type Offer = {
  readonly ids: readonly number[]
  readonly begin: Date
  readonly end: Date
  readonly isBooked: boolean
}

/** Slots in the order of time as few offers. */
export function offersOf(slots: readonly Slot[]): readonly Offer[] {
  const offers: Offer[] = []
  for (const { id, begin_at, end_at, scale_team } of slots) {
    const [begin, end, isBooked] = [new Date(begin_at), new Date(end_at), scale_team !== null]
    const last = offers.at(-1)
    if (last && last.end.getTime() === begin.getTime() && last.isBooked === isBooked) {
      offers[offers.length - 1] = { ...last, ids: [...last.ids, id], end }
    } else offers.push({ ids: [id], begin, end, isBooked })
  }
  return offers
}
