export const isOneOf = <const One>(all: readonly One[], value: unknown): value is One =>
  all.some((one) => one === value)

/** `Object.keys` for an object that has no other keys than its type. */
export function namesOf<Name extends string>(object: Readonly<Record<Name, unknown>>): Name[]
export function namesOf(object: object): string[] {
  return Object.keys(object)
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
