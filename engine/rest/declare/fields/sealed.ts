import type { Field } from './field.ts'
import { type Kind, textKind } from './kinds.ts'

/** Seals secrets under a key that the database never holds. */
type SecretSealer = {
  /** Throws if secrets of this column, named `table.column`, may not be sealed. */
  check(column: string): void
  seal(column: string, text: string): string
  /** Returns the same digest for the same text. */
  digest(text: string): string
}

/** A sealed secret, which is never shown. Filters and sorts use the keyed digest in `<column>_digest`. */
export function sealed(name: `${string}.${string}`, sealer: SecretSealer): Field {
  sealer.check(name)
  const column = name.slice(name.indexOf('.') + 1)
  const plain = textKind({ max: 255 })
  const digest = (input: unknown) => sealer.digest(String(plain.read(input)))
  const digested: Kind = { ...plain, read: digest, readAsked: digest }
  return Object.freeze({
    hidden: true,
    sealedIn: name,
    stored: {
      kind: digested,
      nullable: true,
      column: `${column}_digest`,
      storing: {
        kind: plain,
        columns: (value) =>
          value === null
            ? { [column]: null, [`${column}_digest`]: null }
            : { [column]: sealer.seal(name, String(value)), [`${column}_digest`]: sealer.digest(String(value)) },
      },
    },
    schema: () => ({ type: ['string', 'null'], maxLength: 255, writeOnly: true }),
    compile() {
      throw new Error('a secret has no representation')
    },
  } satisfies Field)
}
