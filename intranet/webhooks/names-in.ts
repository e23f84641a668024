import { sql } from 'kysely'
import type { DeliveryTables } from './delivery-tables.ts'

export const namesIn = ({ deliveries, subscriptions, failures, subscriptionId, about }: DeliveryTables) => ({
  deliveries: sql.table(deliveries),
  subscriptions: sql.table(subscriptions),
  failures: sql.table(failures),
  subscriptionId: sql.ref(subscriptionId),
  about: sql.ref(about),
})
