/**
 * Addresses that programs call and that are not served yet. Whoever adds one strikes it here (a test says which), and the
 * calls to it must succeed from then on.
 */
export const AWAITED_ADDRESSES: readonly string[] = ['GET /v2/topics/unread']

/** What else calls of programs need and do not find yet (`awaits`): whoever adds it strikes it here. */
export const AWAITED: readonly string[] = ['page 0']
