import type { MemberAction } from '@campus/engine/rest/declare/declaration'
import { bounded } from '@campus/engine/rest/declare/fields/bounds'
import { integerKind, textKind } from '@campus/engine/rest/declare/fields/kinds'
import { changePoints } from '../domain/points/staff-points.ts'
import { role } from './access.ts'

const change = (sign: 1 | -1): MemberAction => ({
  access: role('Advanced Tutor'),
  description: `${sign > 0 ? 'gives' : 'takes'} evaluation points, by an entry of the ledger, and tells the user`,
  method: sign > 0 ? 'POST' : 'DELETE',
  unwrapped: true,
  accepts: {
    reason: {
      kind: textKind({ max: 255, isOneLine: true }),
      nullable: false,
      required: true,
      description: 'why, in the words of the entry',
    },
    amount: {
      kind: bounded(integerKind, { min: 1, max: 1_000_000 }),
      nullable: true,
      description: 'how many points; 1 where nothing is sent',
    },
  },
  respond: changePoints(sign),
  schema: (schemaOf) => schemaOf('users', 'short'),
})

/** Actions of staff on the evaluation points of a user. */
export const pointActions = { 'correction_points/add': change(1), 'correction_points/remove': change(-1) }
