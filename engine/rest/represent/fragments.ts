import { defined } from '../../base/defined.ts'
import type { Database, Handle } from '../../database/database.ts'
import { quote } from '../declare/identifiers.ts'
import type { Representation, RepresentationCompiler } from './representation.ts'

/** A row refers to a record that is newer than the cache. */
export class MissingFragment extends Error {}

type Texts = ReadonlyMap<string, string>
type CachedTexts = { readonly version: number; readonly texts: Texts }
type Loading = { readonly version: number; readonly done: Promise<void> }

export type OwnTexts = ReadonlyMap<string, Texts>

/** Caches small reference tables (shelves, languages) as JSON by id, until a table of the JSON changes. */
export class CachedFragments {
  readonly #database: Database
  readonly #cached = new Map<string, CachedTexts>()
  readonly #loading = new Map<string, Loading>()
  #freshAt = new WeakMap<ReadonlySet<string>, number>()
  #compiler: RepresentationCompiler | undefined
  /** Set only during `withOwn`, which is synchronous. */
  #own: OwnTexts | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** The compiler is created after the fragments, and needs them. */
  useCompiler(compiler: RepresentationCompiler): void {
    this.#compiler = compiler
  }

  /** Returns a function that returns the text of an id. It throws MissingFragment. */
  reader(key: string): (id: string) => string {
    return (id) => {
      const text = (this.#own?.get(key) ?? this.#cached.get(key)?.texts)?.get(id)
      if (text === undefined) throw new MissingFragment(key)
      return text
    }
  }

  areFresh(fragments: ReadonlySet<string>): boolean {
    const { count } = this.#database.changes
    if (this.#freshAt.get(fragments) === count) return true
    for (const key of fragments) {
      if (this.#cached.get(key)?.version !== this.#versionOf(this.#compiled(key))) return false
    }
    this.#freshAt.set(fragments, count)
    return true
  }

  /** Loads fragments. A transaction may see uncommitted rows, so its texts are returned for `withOwn`, not cached. */
  async load(fragments: ReadonlySet<string>, handle: Handle): Promise<OwnTexts | undefined> {
    if (handle.isOfOneState) return this.readOwn(fragments, handle)
    for (const key of fragments) await this.#load(key)
    return undefined
  }

  async readOwn(fragments: ReadonlySet<string>, handle: Handle): Promise<OwnTexts> {
    const own = new Map<string, Texts>()
    const read = async (key: string) => {
      if (own.has(key)) return
      const compiled = this.#compiled(key)
      for (const inside of compiled.fragments) await read(inside)
      const rows = await rowsOf(compiled, handle)
      own.set(
        key,
        this.withOwn(own, () => textsOf(compiled, rows)),
      )
    }
    for (const key of fragments) await read(key)
    return own
  }

  /** Runs the synchronous `write` with these texts instead of the cached ones. */
  withOwn<T>(own: OwnTexts | undefined, write: () => T): T {
    const before = this.#own
    this.#own = own
    try {
      return write()
    } finally {
      this.#own = before
    }
  }

  /** A read serves all callers that need the same version, since it began after that version was known. */
  async #load(key: string): Promise<void> {
    const compiled = this.#compiled(key)
    for (const inside of compiled.fragments) await this.#load(inside)
    const version = this.#versionOf(compiled)
    if (this.#cached.get(key)?.version === version) return
    const loading = this.#loading.get(key)
    if (loading?.version === version) return loading.done
    const done = this.#read(key, compiled, version).finally(() => {
      if (this.#loading.get(key)?.done === done) this.#loading.delete(key)
    })
    this.#loading.set(key, { version, done })
    return done
  }

  async #read(key: string, compiled: Representation, version: number): Promise<void> {
    const texts = textsOf(compiled, await rowsOf(compiled, this.#database))
    if ((this.#cached.get(key)?.version ?? -1) < version) this.#cached.set(key, { version, texts })
  }

  #compiled(key: string): Representation {
    if (!this.#compiler) throw new Error('useCompiler was not called')
    const compiled = this.#compiler.representationOf(key)
    if (compiled.isGuarded) throw new Error(`${key} is cached for everybody, but hides something`)
    if (compiled.expires) throw new Error(`${key} is cached until a row changes, but shows addresses that expire`)
    if (compiled.deferred.size > 0) throw new Error(`${key} is cached, but shows deferred records`)
    return compiled
  }

  #versionOf(representation: Representation): number {
    let version = this.#database.changes.versionOf(representation.tables)
    for (const key of representation.fragments) version += this.#versionOf(this.#compiled(key))
    return version
  }
}

const rowsOf = ({ select, table, joins }: Representation, handle: Handle) =>
  handle.rows(`select t.id, ${select} from ${quote(table)} t ${joins}`)

const textsOf = ({ write }: Representation, rows: Awaited<ReturnType<typeof rowsOf>>): Texts =>
  new Map(rows.map(([id, ...row]) => [defined(id), write(row)]))
