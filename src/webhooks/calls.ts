/** Calls to the webservice of a campus about a user. */
export const CALLS = ['created', 'updated', 'closed', 'unclosed'] as const

export type Call = (typeof CALLS)[number]
