/** Placeholders in statements, bound for a viewer when a statement runs. This one is the time of the request. */
export const NOW = '{{now}}'
/** User of the token. It is null for an application's own token. */
export const PERSON = '{{person}}'
export const ROLES = '{{roles}}'
export const SCOPES = '{{scopes}}'
