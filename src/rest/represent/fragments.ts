import type { Database, Handle } from '../../database/database.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/fields/field.ts'
import type { Registry } from '../declare/registry.ts'
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
  readonly #registry: Registry
  readonly #cached = new Map<string, CachedTexts>()
  readonly #readers = new Map<string, Set<string>>()
  #freshAt = new WeakMap<ReadonlySet<string>, number>()
  #compiler: RepresentationCompiler | undefined

  constructor(database: Database, registry: Registry) {
    this.#database = database
    this.#registry = registry
  }

  /** The compiler and the fragments need each other: this one is told of the other once. */
  useCompiler(compiler: RepresentationCompiler): void {
    this.#compiler = compiler
  }

  /** How a representation finds the text of an id at writing time; `load` must have run before. */
  reader(resource: Resource, representation: string): (id: string) => string {
    const key = keyOf(resource.name, representation)
    const representations = this.#readers.get(resource.name) ?? new Set()
    this.#readers.set(resource.name, representations.add(representation))
    return (id) => {
      const text = this.#cached.get(key)?.texts.get(id)
      if (text === undefined) throw new MissingFragment(resource.name)
      return text
    }
  }

  /** Whether everything that a representation embeds is in memory and fresh. */
  areFresh(resources: ReadonlySet<string>): boolean {
    const { count } = this.#database.changes
    if (this.#freshAt.get(resources) === count) return true
    for (const [name, representation] of this.#formsOf(resources)) {
      const cached = this.#cached.get(keyOf(name, representation))
      if (cached?.version !== this.#versionOf(this.#compiled(name, representation))) return false
    }
    this.#freshAt.set(resources, count)
    return true
  }

  /**
   * Loads what is missing or stale. After a MissingFragment (a row newer than what is cached, perhaps of the very
   * transaction that `handle` is in) `again` reads everything, for this once: it may be rolled back.
   */
  async load(resources: ReadonlySet<string>, handle: Handle, again = false): Promise<void> {
    for (const [name, representation] of this.#formsOf(resources)) {
      const compiled = this.#compiled(name, representation)
      if (compiled.isGuarded)
        throw new Error(`${name} is cached for everybody, but hides something of its ${representation}`)
      await this.load(compiled.fragments, handle, again)
      const version = again ? Number.NaN : this.#versionOf(compiled)
      if (this.#cached.get(keyOf(name, representation))?.version === version) continue
      const rows = await handle.rows(
        `select t.id, ${compiled.select} from ${quote(this.#registry.get(name).table)} t ${compiled.joins}`,
      )
      const texts = new Map(rows.map(([id, ...row]) => [id as string, compiled.write(row)]))
      this.#cached.set(keyOf(name, representation), { version, texts })
      if (again) this.#freshAt = new WeakMap()
    }
  }

  *#formsOf(resources: ReadonlySet<string>): Iterable<[string, string]> {
    for (const name of resources)
      for (const representation of this.#readers.get(name) ?? []) yield [name, representation]
  }

  #compiled(name: string, representation: string): Representation {
    if (!this.#compiler) throw new Error('useCompiler was not called')
    return this.#compiler.representation(this.#registry.get(name), representation)
  }

  /** Fragments may hold fragments (a campus its language): theirs count too. */
  #versionOf(representation: Representation): number {
    let version = this.#database.changes.versionOf(representation.tables)
    for (const [name, inner] of this.#formsOf(representation.fragments))
      version += this.#versionOf(this.#compiled(name, inner))
    return version
  }
}

const keyOf = (resource: string, representation: string) => `${resource}/${representation}`
