/** Calls to endpoints about a user. */
export const CALLS = ['created', 'updated', 'closed', 'unclosed'] as const

export type Call = (typeof CALLS)[number]

/** The reader of the change feed that makes the calls, and the table of the endpoints. */
export const CALLS_READER = { reader: 'campuses', table: 'endpoints' } as const
