import { defined } from '../base/defined.ts'
import { editsBetween } from '../base/text/nearest.ts'
import { isShared } from './route-kinds.ts'

const MAX_LENGTH = 200
/** Clients ask for the same missing address again and again. */
const MAX_REMEMBERED = 1_000

/** A method at a path, with `:name` for parameters and `*` for whatever follows. */
export type KnownRoute = {
  readonly method: string
  readonly path: string
  readonly documentedAt?: string | undefined
  /** Accepted, but never suggested. */
  readonly isAlias?: boolean
  /** A page, which reads a cookie. */
  readonly isPage?: boolean
  /** False for a GET that a HEAD does not stand for. */
  readonly hasHead?: boolean
}

/** What there is at a path. */
export type KnownPath = {
  readonly methods: ReadonlySet<string>
  /** The part of the reference that describes it. */
  readonly documentedAt: string | undefined
  /** Whether scripts of other origins may call all that is there. */
  readonly isShared: boolean
}

type Template = {
  readonly segments: readonly string[]
  readonly methods: Set<string>
  documentedAt: string | undefined
  isAlias: boolean
  isShared: boolean
}

/**
 * The service's paths: to distinguish an unknown one from a known one with another method, and to suggest what a
 * mistyped one may have been.
 */
export class KnownPaths {
  readonly #reserved: ReadonlySet<string>
  readonly #known = new Map<string, Template>()
  /** By their number of segments, those with the fewest parameters first. */
  readonly #templates = new Map<number, Template[]>()
  /** Those that end in `*`, by what goes before. */
  readonly #folders = new Map<string, Template>()
  /** By path. */
  readonly #found = new Map<string, KnownPath | undefined>()
  /** By method and path. */
  readonly #nearest = new Map<string, string | undefined>()

  /** No record is called by a reserved word, so that none of them stands for a parameter. */
  constructor(reserved: readonly string[] = []) {
    this.#reserved = new Set(reserved)
  }

  add(routes: readonly KnownRoute[]): void {
    this.#found.clear()
    this.#nearest.clear()
    for (const { method, path, documentedAt, isAlias = false, isPage, hasHead = true } of routes) {
      // Two routes may name the same parameter differently.
      const segments = segmentsOf(path.replace(/:\w+/g, PARAMETER))
      const template = this.#of(segments)
      template.methods.add(method)
      if (method === 'GET' && hasHead) template.methods.add('HEAD')
      template.documentedAt ??= documentedAt
      template.isAlias = isAlias
      template.isShared &&= isShared({ path, isPage })
    }
    for (const templates of this.#templates.values())
      templates.sort((one, other) => parametersIn(one) - parametersIn(other))
  }

  #of(segments: readonly string[]): Template {
    if (segments.at(-1) === '*') {
      const folder = segments.slice(0, -1).join('/')
      const known = this.#folders.get(folder) ?? newTemplate(segments)
      this.#folders.set(folder, known)
      return known
    }
    const key = segments.join('/')
    const known = this.#known.get(key)
    if (known) return known
    const template = newTemplate(segments)
    this.#known.set(key, template)
    this.#templates.set(segments.length, [...(this.#templates.get(segments.length) ?? []), template])
    return template
  }

  /** What there is at this path; undefined where there is nothing. */
  at(path: string): KnownPath | undefined {
    return remember(this.#found, path, () => this.#find(path))
  }

  #find(path: string): KnownPath | undefined {
    const asked = segmentsOf(path).map(decoded)
    const template = this.#templates.get(asked.length)?.find(({ segments }) =>
      segments.every((segment, at) => {
        const other = defined(asked[at])
        return segment === PARAMETER ? other !== '' && !this.#reserved.has(other) : segment === other
      }),
    )
    return template ?? [...this.#folders].find(([folder]) => path.startsWith(`/${folder}/`))?.[1]
  }

  /**
   * The known path that is nearest to this unknown one, with its own ids and names, where this method leads somewhere;
   * undefined where none is near.
   */
  nearest(path: string, method: string): string | undefined {
    if (path.length > MAX_LENGTH) return undefined
    return remember(this.#nearest, `${method} ${path}`, () => this.#findNearest(path, method))
  }

  #findNearest(path: string, method: string): string | undefined {
    const asked = segmentsOf(path)
    const within = ['v2', ...asked]
    // The prefix is what is forgotten most easily.
    if (this.at(`/${within.join('/')}`)?.methods.has(method)) return `/${within.join('/')}`
    let minDistance = Number.POSITIVE_INFINITY
    let found: string | undefined
    for (const { segments, methods, isAlias } of this.#templates.get(asked.length) ?? []) {
      if (isAlias || !methods.has(method)) continue
      const edits = this.#editsTo(segments, asked)
      if (edits >= minDistance) continue
      minDistance = edits
      found = `/${segments.map((segment, at) => (segment === PARAMETER ? asked[at] : segment)).join('/')}`
    }
    return found
  }

  /** Infinite where a segment is another word rather than the same misspelt. */
  #editsTo(template: readonly string[], asked: readonly string[]): number {
    let edits = 0
    for (const [at, segment] of template.entries()) {
      const other = defined(asked[at])
      if (segment === PARAMETER) {
        if (other === '' || this.#reserved.has(other)) return Number.POSITIVE_INFINITY
        continue
      }
      if (segment === other) continue
      const maxDistance = Math.min(3, Math.max(1, Math.floor(segment.length / 3)))
      if (Math.abs(segment.length - other.length) > maxDistance) return Number.POSITIVE_INFINITY
      const slips = editsBetween(segment, other.toLowerCase())
      if (slips > maxDistance) return Number.POSITIVE_INFINITY
      edits += slips
    }
    return edits
  }
}

/** What was found before, or is now; of many the oldest is forgotten. */
function remember<T>(found: Map<string, T | undefined>, asked: string, find: () => T | undefined): T | undefined {
  if (found.has(asked)) return found.get(asked)
  const now = find()
  if (asked.length > MAX_LENGTH) return now
  const [oldest] = found.keys()
  if (oldest !== undefined && found.size >= MAX_REMEMBERED) found.delete(oldest)
  found.set(asked, now)
  return now
}

const PARAMETER = ':'

const newTemplate = (segments: readonly string[]): Template => ({
  segments,
  methods: new Set(),
  documentedAt: undefined,
  isAlias: false,
  isShared: true,
})

const parametersIn = ({ segments }: Template) => segments.filter((segment) => segment === PARAMETER).length

/** A slash at the end is one too many. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1)
  return segments.length > 1 && segments.at(-1) === '' ? segments.slice(0, -1) : segments
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
