import { hash } from 'node:crypto'
import { commandName } from '../base/service.ts'

const LIMIT = 500
const USES_BEFORE_NAMING = 2
/** 22 base64url digits are 132 bits. */
const DIGITS = 22

/** Prefix of statements that are never prepared, because the best plan depends on their values. */
export const PLANNED_ANEW = '/* planned again */ '

/** Chooses the statements to prepare: those that are used repeatedly, up to a limit, since clients can vary filters without bound. */
export class PreparedNames {
  readonly #limit: number
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  constructor(limit = LIMIT) {
    this.#limit = limit
  }

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
    // Derived from the text, so that clients that share a connection never run each other's statements. No parameter types are sent, so
    // the text determines the statement.
    const given = `${commandName()}_${hash('sha256', text, 'base64url').slice(0, DIGITS)}`
    this.#names.set(text, given)
    return given
  }
}
