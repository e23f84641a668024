/**
 * Parts of a value that a program reads (see `assertReads`). A list describes each of its elements, of which there must
 * be at least one.
 */
export type Reads = string | readonly [Reads] | { readonly [key: string]: Reads }

/** A call as a program sends it. */
export type Call = {
  /**
   * Method and address with its query, as they are sent. `{name}` stands for a record of the school, or for what an earlier
   * call of the program `remembers` (`{team.id}`).
   */
  readonly send: string
  /** Caller. Default: the application itself. */
  readonly as?: 'person'
  /** A body: an object is sent as JSON, text as a form. */
  readonly body?: object | string
  /** The status that the program goes on with: by default 201 for POST, 204 for what else writes, 200 for the rest. */
  readonly answers?: number
  readonly reads?: Reads
  /** The list may be empty here: the program is content with that. */
  readonly maybeNone?: true
  readonly remembers?: string
  /** Missing feature that the call needs, if it is not the address itself. */
  readonly awaits?: string
}

/** A public program, and how it calls the API, in its order. */
export type Program = {
  /** Name in `docs/compatibility.md`. */
  readonly name: string
  readonly kind: string
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
  readonly calls: readonly Call[]
}
