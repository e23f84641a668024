import { booleanKind } from '@campus/engine/rest/declare/fields/kinds'

/** Attempts at projects, begun again by those who may begin them for others. */
export const FORCE = {
  kind: booleanKind,
  nullable: true,
  description: 'whether the rules on who may try again are left out; for tutors and staff',
} as const
