/** Maximum size of an answer as JSON, which an assistant can read well. */
export const MAX_BYTES = 20_000

/** Returns the size of a value as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** Counts the first values that fit together. */
export function fittingCount(values: readonly unknown[], maxBytes = MAX_BYTES): number {
  let left = maxBytes
  const excess = values.findIndex((value) => {
    left -= bytesOf(value) + 1
    return left < 0
  })
  return excess < 0 ? values.length : excess
}

type Limits = { readonly items: number; readonly characters: number }

const LEVELS: readonly Limits[] = [
  { items: 20, characters: 2000 },
  { items: 5, characters: 500 },
  { items: 1, characters: 150 },
  { items: 0, characters: 60 },
]

/** Shortens lists and texts of a value until it fits. Drops the last members of an object that is still too large. */
export function fitted(value: unknown, maxBytes = MAX_BYTES): { readonly value: unknown; readonly isCut: boolean } {
  if (bytesOf(value) <= maxBytes) return { value, isCut: false }
  let cut = value
  for (const limits of LEVELS) {
    cut = limited(value, limits)
    if (bytesOf(cut) <= maxBytes) return { value: cut, isCut: true }
  }
  if (typeof cut !== 'object' || cut === null || Array.isArray(cut)) return { value: null, isCut: true }
  const members = Object.entries(cut)
  return { value: Object.fromEntries(members.slice(0, fittingCount(members, maxBytes))), isCut: true }
}

function limited(value: unknown, limits: Limits): unknown {
  if (typeof value === 'string') {
    return value.length > limits.characters ? `${value.slice(0, limits.characters).toWellFormed()}…` : value
  }
  if (Array.isArray(value)) {
    const shown: unknown[] = value.slice(0, limits.items).map((one) => limited(one, limits))
    const more = value.length - shown.length
    return more > 0 ? [...shown, `… ${more} more`] : shown
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, limited(member, limits)]))
}
