/**
 * Addresses that programs call and that are not served yet. The change that adds one removes it here (a test says which), and the
 * calls to it must succeed from then on.
 */
export const AWAITED_ADDRESSES: readonly string[] = ['GET /v2/topics/unread']

/** What else calls of programs need and do not find yet (`awaits`): the change that adds it removes it here. */
export const AWAITED: readonly string[] = ['page 0']
