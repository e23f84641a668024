/** What becomes of a delivery; `pending` until it is decided. */
export const STATES = ['pending', 'delivered', 'rejected', 'dead'] as const
