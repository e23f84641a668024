import type { Scope } from '../../scopes.ts'

/** What a token must carry beside all else for a tool to change anything. */
export const ACTING_SCOPE: Scope = 'act'
