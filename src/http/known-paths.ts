import { editsBetween } from '../nearest.ts'

const MAX_LENGTH = 200

/** The service's paths, to tell somebody who mistyped one which it may have been. */
export class KnownPaths {
  #templates: readonly (readonly string[])[] = []

  /** With `:name` for parameters. */
  add(paths: readonly string[]): void {
    const more = new Set(paths.map((path) => path.replace(/:\w+/g, ':')))
    this.#templates = [...this.#templates, ...[...more].map((path) => path.split('/').slice(1))]
  }

  /** The known path that is nearest to this unknown one, with its own ids and names; undefined where none is near. */
  nearest(path: string): string | undefined {
    if (path.length > MAX_LENGTH) return undefined
    const asked = path.replace(/\/+$/, '').split('/').slice(1)
    let [least, found] = [Number.POSITIVE_INFINITY, undefined as string | undefined]
    for (const template of this.#templates) {
      if (template.length !== asked.length) continue
      const edits = editsTo(template, asked)
      if (edits >= least) continue
      least = edits
      found = `/${template.map((segment, at) => (segment === ':' ? asked[at] : segment)).join('/')}`
    }
    return found
  }
}

/** Infinite where a segment is another word rather than the same misspelt. */
function editsTo(template: readonly string[], asked: readonly string[]): number {
  let edits = 0
  for (const [at, segment] of template.entries()) {
    const other = asked[at] as string
    if (segment === ':') {
      if (other === '') return Number.POSITIVE_INFINITY
      continue
    }
    const slips = Math.abs(segment.length - other.length) > 3 ? 4 : editsBetween(segment, other.toLowerCase())
    if (slips > Math.min(3, Math.max(1, Math.floor(segment.length / 3)))) return Number.POSITIVE_INFINITY
    edits += slips
  }
  return edits
}
