/** What a program reads of a value: see `assertReads`. A list stands for all of its elements, and must have some. */
export type Reads = string | readonly [Reads] | { readonly [key: string]: Reads }

/** A call as a program sends it. */
export type Call = {
  /**
   * Method and address with its query, as they are sent. `{name}` stands for a record of the school, or for what an earlier
   * call of the program `remembers` (`{team.id}`).
   */
  readonly send: string
  /** By whom: the application itself, unless a person signed in. */
  readonly as?: 'person'
  /** A body: an object is sent as JSON, text as a form. */
  readonly body?: object | string
  /** The status that the program goes on with: by default 201 for POST, 204 for what else writes, 200 for the rest. */
  readonly answers?: number
  readonly reads?: Reads
  /** The list may be empty here: the program is content with that. */
  readonly maybeNone?: true
  readonly remembers?: string
  /** What must come first, where it is not the address alone. */
  readonly awaits?: string
}

/** A public program, and how it calls the API, in its order. */
export type Program = {
  /** As in `docs/compatibility.md`. */
  readonly name: string
  readonly kind: string
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
  readonly calls: readonly Call[]
}
