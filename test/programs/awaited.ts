/**
 * Addresses that programs call and that are not served yet. Whoever adds one strikes it here (a test says which), and the
 * calls to it must succeed from then on.
 */
export const AWAITED_ADDRESSES: readonly string[] = ['GET /v2/topics/unread']

/** What else calls of programs need and do not find yet (`awaits`): whoever adds it strikes it here. */
export const AWAITED: readonly string[] = [
  'a month of one digit',
  'JSON without the wrapper',
  'one nested record without an index, ids as one text',
  'page 0',
  'quotes around a time',
]
