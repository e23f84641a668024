const ROWS = 6
const POSTS = 8

/** A workstation of a campus. Its host name is made of cluster, row and post. */
export type Seat = { readonly host: string; readonly floor: string; readonly row: string; readonly post: string }

/** Returns the seats of at least two clusters. */
export function layOutSeats(peopleAtOnce: number): readonly Seat[] {
  const clusters = Math.max(2, Math.ceil(peopleAtOnce / (ROWS * POSTS)))
  return Array.from({ length: clusters * ROWS * POSTS }, (_, index) => {
    const floor = String(Math.floor(index / (ROWS * POSTS)) + 1)
    const row = String((Math.floor(index / POSTS) % ROWS) + 1)
    const post = String((index % POSTS) + 1)
    return { host: `c${floor}r${row}s${post}`, floor, row, post }
  })
}
