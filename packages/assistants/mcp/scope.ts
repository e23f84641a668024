import type { Scope } from '@campus/intranet/access/scopes'

/** What a token must carry beside all else for a tool to change anything. */
export const ACTING_SCOPE: Scope = 'act'
