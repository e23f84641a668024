/** Calls to the webservice of a campus about a user. */
export const CALLS = ['created', 'updated', 'closed', 'unclosed'] as const

export type Call = (typeof CALLS)[number]

/** The reader of the change feed that makes the calls, and the table of the webservices that it calls. */
export const CALLS_READER = { reader: 'campuses', table: 'endpoints' } as const
