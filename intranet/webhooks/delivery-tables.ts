/** Tables and columns of a kind of delivery. */
export type DeliveryTables = {
  readonly subscriptions: 'endpoints' | 'webhooks'
  readonly deliveries: 'deliveries' | 'webhook_deliveries'
  readonly failures: 'endpoint_failures' | 'webhook_failures'
  /** Column of `deliveries` and `failures`. */
  readonly subscriptionId: 'endpoint_id' | 'webhook_id'
  /** Column of the id that is the same on every attempt. */
  readonly messageId: 'webhook_id' | 'message_id'
  /** Column of the subject. Deliveries about one subject stay in order. */
  readonly about: 'user_id' | 'record_id'
  /** Whether a sealed password and meta may go along. */
  readonly hasSecrets: boolean
}

export const CAMPUS_TABLES: DeliveryTables = {
  subscriptions: 'endpoints',
  deliveries: 'deliveries',
  failures: 'endpoint_failures',
  subscriptionId: 'endpoint_id',
  messageId: 'webhook_id',
  about: 'user_id',
  hasSecrets: true,
}

export const APPLICATION_TABLES: DeliveryTables = {
  subscriptions: 'webhooks',
  deliveries: 'webhook_deliveries',
  failures: 'webhook_failures',
  subscriptionId: 'webhook_id',
  messageId: 'message_id',
  about: 'record_id',
  hasSecrets: false,
}
