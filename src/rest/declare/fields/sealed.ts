import { checkSealed, type SealedColumn } from '../../../base/sealed-columns.ts'
import type { Sealer } from '../../../base/sealer.ts'
import type { Field } from './field.ts'
import { type Kind, textKind } from './kinds.ts'

/**
 * A secret: sealed in its column, named `table.column`, and never written to a record. It is filtered and sorted by a keyed
 * digest in `<column>_digest`, so that equality works and its order reveals nothing. Throws if the column is not registered.
 */
export function sealed(name: SealedColumn, sealer: Sealer): Field {
  checkSealed(name)
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
