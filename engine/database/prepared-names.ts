import { hash } from 'node:crypto'
import { commandName } from '../base/service.ts'

const LIMIT = 500
const USES_BEFORE_NAMING = 2
/** 132 bits. */
const DIGITS = 22

/** Begins a statement that is never prepared: which plan is good depends on its values. */
export const PLANNED_ANEW = '/* planned again */ '

/**
 * Which statements are worth keeping prepared on a connection. Clients choose what they filter and sort by, so the
 * variety has no bound: a statement gets a name when it comes again, and only so many get one.
 */
export class PreparedNames {
  readonly #limit: number
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  constructor(limit = LIMIT) {
    this.#limit = limit
  }

  /** The name to prepare the statement under, or undefined to send it as it is. */
  of(text: string): string | undefined {
    if (text.startsWith(PLANNED_ANEW)) return undefined
    const name = this.#names.get(text)
    if (name || this.#names.size >= this.#limit) return name
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < USES_BEFORE_NAMING) {
      if (this.#uses.size >= LIMIT) this.#uses.clear()
      this.#uses.set(text, uses)
      return undefined
    }
    this.#uses.delete(text)
    // A name derived from the text alone, the same in each process, so that a connection that several clients share
    // never runs another's statement. No parameter types are sent, so the text determines the statement.
    const given = `${commandName()}_${hash('sha256', text, 'base64url').slice(0, DIGITS)}`
    this.#names.set(text, given)
    return given
  }
}
