import type { Scope } from '@campus/intranet/access/scopes'

/** The scope that a tool needs to change records. */
export const ACTING_SCOPE: Scope = 'act'
