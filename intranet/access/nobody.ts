/** Id of no person. Statements about a user run with it if there is no user, so that both take the same time. */
export const NOBODY = 0
