/** The value, where the code knows that there is one and its type does not say so. Throws where there is none. */
export function defined<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new TypeError('A value that must be there is missing.')
  return value
}
