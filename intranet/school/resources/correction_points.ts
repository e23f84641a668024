import type { MemberAction } from '@campus/engine/rest/declare/declaration'
import { bounded } from '@campus/engine/rest/declare/fields/bounds'
import { integerKind, textKind } from '@campus/engine/rest/declare/fields/kinds'
import { changePoints } from '../domain/points/staff-points.ts'
import { role } from './access.ts'
import { optionalParameter, requiredParameter } from './parameters.ts'

const change = (sign: 1 | -1): MemberAction => ({
  access: role('Advanced Tutor'),
  description: `${sign > 0 ? 'gives' : 'takes'} evaluation points, by an entry of the ledger, and tells the user`,
  method: sign > 0 ? 'POST' : 'DELETE',
  unwrapped: true,
  accepts: {
    reason: requiredParameter('why, in the words of the entry', textKind({ max: 255, isOneLine: true })),
    amount: optionalParameter(
      'how many points; 1 where nothing is sent',
      bounded(integerKind, { min: 1, max: 1_000_000 }),
    ),
  },
  respond: changePoints(sign),
  schema: (schemaOf) => schemaOf('users', 'short'),
})

export const pointActions = { 'correction_points/add': change(1), 'correction_points/remove': change(-1) }
