/** Where deliveries of one kind are: those to the webservices of campuses, and those to applications. */
export type DeliveryTables = {
  /** Where they go. */
  readonly subscriptions: 'endpoints' | 'webhooks'
  readonly deliveries: 'deliveries' | 'webhook_deliveries'
  readonly failures: 'endpoint_failures' | 'webhook_failures'
  /** The column of deliveries and failures that holds the id of the subscription. */
  readonly subscriptionId: 'endpoint_id' | 'webhook_id'
  /** The column that holds the id that stays the same over all attempts. */
  readonly messageId: 'webhook_id' | 'message_id'
  /** The column by which deliveries are about the same: those come in order. */
  readonly about: 'user_id' | 'record_id'
  /** Whether a password and meta may go along, sealed. */
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
