import { defined } from '../base/defined.ts'
import { isShared } from './route-kinds.ts'

export type KnownRoute = {
  readonly method: string
  readonly path: string
  readonly documentedAt?: string | undefined
  readonly isPage?: boolean
  /** False if HEAD is not answered like GET. */
  readonly hasHead?: boolean
}

export type KnownPath = {
  readonly methods: ReadonlySet<string>
  readonly documentedAt: string | undefined
  readonly isShared: boolean
}

type Template = {
  readonly segments: readonly string[]
  readonly methods: Set<string>
  documentedAt: string | undefined
  isShared: boolean
}

export class KnownPaths {
  readonly #reserved: ReadonlySet<string>
  /** Patterns with the fewest parameters come first. */
  #templates: readonly Template[] = []

  /** Reserved words never stand for a parameter. */
  constructor(reserved: readonly string[] = []) {
    this.#reserved = new Set(reserved)
  }

  add(routes: readonly KnownRoute[]): void {
    const templates = new Map(this.#templates.map((template) => [template.segments.join('/'), template]))
    for (const { method, path, documentedAt, isPage, hasHead = true } of routes) {
      // Two routes may name the same parameter differently.
      const segments = segmentsOf(path.replace(/:\w+/g, PARAMETER))
      const key = segments.join('/')
      const template = templates.get(key) ?? { segments, methods: new Set(), documentedAt: undefined, isShared: true }
      templates.set(key, template)
      template.methods.add(method)
      if (method === 'GET' && hasHead) template.methods.add('HEAD')
      template.documentedAt ??= documentedAt
      template.isShared &&= isShared({ path, isPage })
    }
    this.#templates = [...templates.values()].sort((one, other) => parametersIn(one) - parametersIn(other))
  }

  at(path: string): KnownPath | undefined {
    const asked = segmentsOf(path).map(decoded)
    const matches = (segment: string, at: number) => {
      const other = asked[at]
      return segment === PARAMETER ? other !== '' && !this.#reserved.has(defined(other)) : segment === other
    }
    return (
      this.#templates.find(({ segments }) => segments.length === asked.length && segments.every(matches)) ??
      this.#templates.find(
        ({ segments }) => segments.at(-1) === '*' && path.startsWith(`/${segments.slice(0, -1).join('/')}/`),
      )
    )
  }
}

const PARAMETER = ':'

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
