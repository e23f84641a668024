/** What a webhook can report of a user. */
export const EVENTS = ['created', 'updated', 'closed', 'unclosed'] as const
export type WebhookEvent = (typeof EVENTS)[number]
