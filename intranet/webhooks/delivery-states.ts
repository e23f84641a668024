/** What becomes of a delivery; `pending` until it is decided. */
export const STATES = ['pending', 'delivered', 'rejected', 'dead'] as const

/** In SQL: since when a pending delivery waits, which is its event or the latest replay. */
export const pendingSince = (deliveries: string) => `coalesce(${deliveries}.replayed_at, ${deliveries}.created_at)`
