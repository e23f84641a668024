/** A word that is not used here, and what to say instead. */
export type Word = {
  /** A regular expression of whole words, in lower case. Names are matched by their words: `rowCounts` as `row counts`. */
  readonly not: string
  readonly say: string
  /** Kinds of text in which the word is refused. Defaults to names, comments and documents. */
  readonly in?: 'name' | 'comment'
}

/** Words of a dialect that this repository once had, with the terms of the field. */
export const WORDS: readonly Word[] = [
  { not: 'told|untold', say: 'shown, sent, mailed, notified or recorded, as it is meant', in: 'comment' },
  { not: 'told|untold', say: 'shown, sent, reported', in: 'name' },
  { not: 'tells?|telling', say: 'show, send, notify or represent', in: 'name' },
  {
    not: 'tells (?:the|a|an|others|which|its|whether|of|nothing|them|who|what|how)',
    say: 'shows, sends, notifies or gives',
    in: 'comment',
  },
  { not: 'whoever|whomever|whosever', say: 'the caller, the user, the client: name who it is', in: 'comment' },
  { not: 'lazily', say: 'once, on first use' },
  { not: 'kept', say: 'stored, cached, retained or hidden', in: 'name' },
  { not: 'kept (?:counts?|apart|moments?)', say: 'aggregates, deferred embeds, time buckets' },
  { not: 'apart', say: 'deferred, separate', in: 'name' },
  { not: 'verdicts?|judge[sd]?|judging', say: 'result, classify, authorize, check', in: 'name' },
  { not: '(?:its?|their|the|of|more|many|all|so many|earlier|running) tries', say: 'attempts', in: 'comment' },
  { not: 'tries (?!number)\\w+|(?!between )\\w+ tries|tried', say: 'attempts, attempted', in: 'name' },
  { not: 'deeds?|doers?', say: 'action, actor' },
  { not: 'lanes?', say: 'queue' },
  { not: 'sentences?', say: 'statement (SQL), message or text', in: 'name' },
  { not: 'troubles?|troubled', say: 'error, failure, warning' },
  { not: 'patiently|patience|patient', say: 'timeout, background', in: 'name' },
  { not: '(?<!at )(?:most|longest|shortest|fewest|least) \\w+', say: 'max, min', in: 'name' },
  { not: 'moments?', say: 'time, expiry', in: 'name' },
  { not: 'remarks?|occasions?|fillings?|standings?', say: 'comments, registrables, grading, results', in: 'name' },
  { not: 'wished|wishes|theirs', say: 'preferred, options; of another', in: 'name' },
  { not: 'tie', say: 'association, link', in: 'name' },
  { not: 'reckoned|momentary|converses?', say: 'derived, cached snapshot, translate' },
  { not: 'far pages?', say: 'deep pagination' },
  { not: 'keeps? house|waiting line', say: 'is the leader; semaphore, queue' },
]

type Exception = {
  /** The beginning of a path. */
  readonly path: string
  /** The entry that is allowed there: a part of its expression. */
  readonly word: string
  readonly because: string
}

/** Exceptions to the words above. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    path: 'engine/rest/import/import-file.ts',
    word: 'told',
    because: '`--json` prints the number of omitted errors as `untold`',
  },
  { path: 'engine/rest/import/import-file.ts', word: 'kept', because: '`--json` prints `isKept`' },
  { path: 'intranet/cli/program/files.ts', word: 'told', because: 'reads the report of an import' },
  { path: 'intranet/cli/program/files.ts', word: 'kept', because: 'reads the report of an import' },
  { path: 'intranet/test/commands/import.test.ts', word: 'kept', because: 'reads the report of an import' },
  { path: 'engine/test/rest/import.test.ts', word: 'kept', because: 'reads the report of an import' },
]
