/**
 * Returns an SQL condition that is true if a lease has ended by the clock of the database. A lease that ends more than
 * twice its length from now counts as ended: it was taken before that clock was set back. A living holder extends it.
 */
export const isLeaseOver = (until: string, length: string): string =>
  `(${until} is null or ${until} not between clock_timestamp() and clock_timestamp() + 2 * ${length})`
