/** Asserts that a value is neither null nor undefined, where its type does not say so. */
export function defined<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new TypeError('A value that must be there is missing.')
  return value
}
