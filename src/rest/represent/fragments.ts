import type { Database, Handle } from '../../database/database.ts'
import { quote } from '../declare/fields/field.ts'
import type { Representation, RepresentationCompiler } from './representation.ts'

/** A row points at a reference row that is newer than what is cached. */
export class MissingFragment extends Error {}

type CachedTexts = { readonly version: number; readonly texts: ReadonlyMap<string, string> }

/**
 * Small reference tables (campus, cursus, languages …) as finished JSON by id, cached until one of the tables that
 * the text depends on changes, so that embedding them costs no join.
 */
export class CachedFragments {
  readonly #database: Database
  readonly #cached = new Map<string, CachedTexts>()
  #freshAt = new WeakMap<ReadonlySet<string>, number>()
  #compiler: RepresentationCompiler | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** The compiler and the fragments need each other: this one is told of the other once. */
  useCompiler(compiler: RepresentationCompiler): void {
    this.#compiler = compiler
  }

  /** How a representation finds the text of an id at writing time; `load` must have run before. */
  reader(key: string): (id: string) => string {
    return (id) => {
      const text = this.#cached.get(key)?.texts.get(id)
      if (text === undefined) throw new MissingFragment(key)
      return text
    }
  }

  /** Whether everything that a representation embeds is in memory and fresh. */
  areFresh(fragments: ReadonlySet<string>): boolean {
    const { count } = this.#database.changes
    if (this.#freshAt.get(fragments) === count) return true
    for (const key of fragments) {
      if (this.#cached.get(key)?.version !== this.#versionOf(this.#compiled(key))) return false
    }
    this.#freshAt.set(fragments, count)
    return true
  }

  /**
   * Loads what is missing or stale. After a MissingFragment (a row newer than what is cached, perhaps of the very
   * transaction that `handle` is in) `again` reads everything, for this once: it may be rolled back.
   */
  async load(fragments: ReadonlySet<string>, handle: Handle, again = false): Promise<void> {
    for (const key of fragments) {
      const compiled = this.#compiled(key)
      if (compiled.isGuarded) throw new Error(`${key} is cached for everybody, but hides something`)
      if (compiled.apart.size > 0) throw new Error(`${key} is cached, but shows records that are read apart`)
      await this.load(compiled.fragments, handle, again)
      const version = again ? Number.NaN : this.#versionOf(compiled)
      if (this.#cached.get(key)?.version === version) continue
      const rows = await handle.rows(
        `select t.id, ${compiled.select} from ${quote(compiled.table)} t ${compiled.joins}`,
      )
      const texts = new Map(rows.map(([id, ...row]) => [id as string, compiled.write(row)]))
      this.#cached.set(key, { version, texts })
      if (again) this.#freshAt = new WeakMap()
    }
  }

  #compiled(key: string): Representation {
    if (!this.#compiler) throw new Error('useCompiler was not called')
    return this.#compiler.representationOf(key)
  }

  /** Fragments may hold fragments (a campus its language): theirs count too. */
  #versionOf(representation: Representation): number {
    let version = this.#database.changes.versionOf(representation.tables)
    for (const key of representation.fragments) version += this.#versionOf(this.#compiled(key))
    return version
  }
}
