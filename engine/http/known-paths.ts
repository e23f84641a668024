import { defined } from '../base/defined.ts'
import { isShared } from './route-kinds.ts'

/** A method at a path pattern with `:name` parameters, or `*` at the end. */
export type KnownRoute = {
  readonly method: string
  readonly path: string
  readonly documentedAt?: string | undefined
  /** Pages read a cookie. */
  readonly isPage?: boolean
  /** False if HEAD is not answered like GET. */
  readonly hasHead?: boolean
}

export type KnownPath = {
  readonly methods: ReadonlySet<string>
  /** Part of the reference that describes the path. */
  readonly documentedAt: string | undefined
  /** Whether scripts of other origins may call all methods. */
  readonly isShared: boolean
}

type Template = {
  readonly segments: readonly string[]
  readonly methods: Set<string>
  documentedAt: string | undefined
  isShared: boolean
}

/** Distinguishes unknown paths from known ones that have other methods. */
export class KnownPaths {
  readonly #reserved: ReadonlySet<string>
  readonly #known = new Map<string, Template>()
  /** By number of segments, with the fewest parameters first. */
  readonly #templates = new Map<number, Template[]>()
  /** Patterns that end in `*`, by the path before it. */
  readonly #folders = new Map<string, Template>()

  /** Reserved words never stand for a parameter. */
  constructor(reserved: readonly string[] = []) {
    this.#reserved = new Set(reserved)
  }

  add(routes: readonly KnownRoute[]): void {
    for (const { method, path, documentedAt, isPage, hasHead = true } of routes) {
      // Two routes may name the same parameter differently.
      const segments = segmentsOf(path.replace(/:\w+/g, PARAMETER))
      const template = this.#of(segments)
      template.methods.add(method)
      if (method === 'GET' && hasHead) template.methods.add('HEAD')
      template.documentedAt ??= documentedAt
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
    const templates = this.#templates.get(segments.length) ?? []
    this.#templates.set(segments.length, templates)
    templates.push(template)
    return template
  }

  /** Returns what is known about a path, or undefined if it is unknown. */
  at(path: string): KnownPath | undefined {
    const asked = segmentsOf(path).map(decoded)
    const template = this.#templates.get(asked.length)?.find(({ segments }) =>
      segments.every((segment, at) => {
        const other = defined(asked[at])
        return segment === PARAMETER ? other !== '' && !this.#reserved.has(other) : segment === other
      }),
    )
    return template ?? [...this.#folders].find(([folder]) => path.startsWith(`/${folder}/`))?.[1]
  }
}

const PARAMETER = ':'

const newTemplate = (segments: readonly string[]): Template => ({
  segments,
  methods: new Set(),
  documentedAt: undefined,
  isShared: true,
})

const parametersIn = ({ segments }: Template) => segments.filter((segment) => segment === PARAMETER).length

/** Ignores a trailing slash. */
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
