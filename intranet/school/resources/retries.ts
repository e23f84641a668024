import { booleanKind } from '@campus/engine/rest/declare/fields/kinds'
import { optionalParameter } from './parameters.ts'

export const FORCE = optionalParameter(
  'whether the rules on who may try again are left out; for tutors and staff',
  booleanKind,
)
