export const STATES = ['pending', 'delivered', 'rejected', 'dead'] as const

/** SQL: the time from which a pending delivery waits, which is that of its event or of the latest replay. */
export const pendingSince = (deliveries: string) => `coalesce(${deliveries}.replayed_at, ${deliveries}.created_at)`
