/**
 * SQL condition: the lease that ends then is over, by the clock of the database. A lease that ends later than twice its
 * length from now was taken before that clock was set back; its holder extends it if it lives. `length` is an interval.
 */
export const isLeaseOver = (until: string, length: string): string =>
  `(${until} is null or ${until} not between clock_timestamp() and clock_timestamp() + 2 * ${length})`
