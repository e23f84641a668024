/**
 * Addresses that programs call and that are not served yet. The change that adds one removes it here (a test says which), and the
 * calls to it must succeed from then on.
 */
export const AWAITED_ADDRESSES: readonly string[] = ['GET /v2/topics/unread']

/** Missing features that the calls of programs need (`awaits`). Remove an entry with the change that adds it. */
export const AWAITED: readonly string[] = ['page 0']
