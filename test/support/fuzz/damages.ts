import fc from 'fast-check'
import type { Draft } from './calls.ts'
import { HOSTILE_ENDS, HOSTILE_HEADERS, HOSTILE_PARAMETERS, oddText, oddValue } from './hostile.ts'

/** A fault: of the parts of a request, or of its body's text. */
export type Damage = {
  readonly draft?: (draft: Draft) => Draft
  readonly body?: (text: string, type: string) => string
}

/** Faults that a request to this path can have. */
export function damages(path: string): fc.Arbitrary<Damage> {
  const places = path.split('/').flatMap((segment, at) => (segment.startsWith('{') ? [at] : []))
  const inPath = fc.tuple(fc.constantFrom(...(places.length > 0 ? places : [0])), oddText)
  return fc.oneof(
    ...(places.length > 0 ? [inPath.map(([at, text]) => segment(at, text))] : []),
    fc.constantFrom(...HOSTILE_PARAMETERS).map(parameter),
    oddText.map(value),
    fc.nat({ max: 20 }).map(twice),
    fc.tuple(fc.nat({ max: 1000 }), oddValue).map(([at, odd]) => replace(at, odd)),
    fc.tuple(fc.nat({ max: 1000 }), oddText, oddValue).map(([at, name, odd]) => add(at, name, odd)),
    fc.nat({ max: 1000 }).map(remove),
    fc.tuple(fc.nat({ max: 1000 }), oddText).map(([at, text]) => garble(at, text)),
    fc.constantFrom(...HOSTILE_ENDS).map(end),
    fc.constantFrom(...HOSTILE_HEADERS).map(header),
  )
}

const segment = (at: number, text: string): Damage => ({
  draft: (draft) => ({ ...draft, segments: draft.segments.with(at, text) }),
})

const parameter = (text: string): Damage => ({ draft: (draft) => ({ ...draft, query: [...draft.query, text] }) })

/** Keeps the name of a parameter, or of any, and gives it another value. */
const value = (text: string): Damage => ({
  draft: (draft) => {
    const [name = 'filter[id]'] = (draft.query[0] ?? '').split('=')
    return { ...draft, query: [`${name}=${text}`, ...draft.query.slice(1)] }
  },
})

const twice = (at: number): Damage => ({
  draft: (draft) => {
    const one = draft.query[at % Math.max(1, draft.query.length)]
    return { ...draft, query: one === undefined ? ['page=1', 'page=1'] : [...draft.query, one] }
  },
})

const header = (headers: Readonly<Record<string, string>>): Damage => ({
  draft: (draft) => ({ ...draft, headers: { ...draft.headers, ...headers } }),
})

const replace = (at: number, odd: unknown): Damage => inBody(at, (holder, key) => Reflect.set(holder, key, odd))
const remove = (at: number): Damage => inBody(at, (holder, key) => Reflect.deleteProperty(holder, key))
/** Adds an own property, which assigning `__proto__` would not do. A large index would create a list of that length. */
const add = (at: number, name: string, odd: unknown): Damage =>
  inBody(at, (holder) => {
    if (Array.isArray(holder)) holder.push(odd)
    else
      Object.defineProperty(holder, decoded(name), { value: odd, enumerable: true, configurable: true, writable: true })
  })

/** Changes one place of the body, counted from its top. */
const inBody = (at: number, change: (holder: object, key: string) => void): Damage => ({
  draft: (draft) => {
    if (draft.type === undefined) return draft
    const root = { body: structuredClone(draft.body) }
    const places = placesIn(root)
    const place = places[at % places.length]
    if (place) change(...place)
    return { ...draft, body: root.body }
  },
})

function placesIn(holder: object): [object, string][] {
  return Object.entries(holder).flatMap(([key, inner]) => [
    [holder, key] as [object, string],
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner).slice(0, 200) : []),
  ])
}

/** Cuts the text off, and puts something in its place. */
const garble = (at: number, text: string): Damage => ({
  body: (whole) =>
    `${whole.slice(0, at % (whole.length + 1))}${at % 2 === 0 ? '' : decoded(text)}${at % 3 === 0 ? whole.slice(at) : ''}`,
})

const end = (text: string): Damage => ({
  body: (whole, type) =>
    type === 'multipart/form-data' ? whole.replace(/(\r\n)?--edge--\r\n$/, text) : whole.slice(0, -1),
})

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
