/**
 * Returns an SQL condition for a lease that has ended by the database's clock. A lease that ends more than twice its length from now was
 * taken before the clock was set back, and counts as ended. A live holder extends it.
 */
export const isLeaseOver = (until: string, length: string): string =>
  `(${until} is null or ${until} not between clock_timestamp() and clock_timestamp() + 2 * ${length})`
