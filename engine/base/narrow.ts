/** Whether the value is one of these. */
export const isOneOf = <const One>(all: readonly One[], value: unknown): value is One =>
  all.some((one) => one === value)

/** The names of an object that has no others than its type says. */
export function namesOf<Name extends string>(object: Readonly<Record<Name, unknown>>): Name[]
// The compiler allows for further names, which a literal does not have.
export function namesOf(object: object): string[] {
  return Object.keys(object)
}

/** Whether the value is an object with names, and no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
