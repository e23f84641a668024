/** The time of the request in a statement; bound when the statement is run for a viewer, as are the others. */
export const NOW = '{{now}}'
/** The person whom the token stands for; null for an application of its own. */
export const PERSON = '{{person}}'
export const ROLES = '{{roles}}'
export const SCOPES = '{{scopes}}'
