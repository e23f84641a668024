import { dueName, queueTrigger } from '@campus/engine/database/functions/change-triggers'
import type { SqlTrigger } from '@campus/engine/database/functions/definitions'

/** A delivery is due when it is new, sent again or released. */
const deliveryTriggers = (table: string): readonly SqlTrigger[] => [
  queueTrigger(table),
  {
    name: `${table}_released`,
    table,
    on: 'after update',
    condition: "new.state = 'pending' and new.lease is null and (old.state <> 'pending' or old.lease is not null)",
    call: `record_change('${dueName(table)}')`,
  },
]

export const QUEUE_TRIGGERS: readonly SqlTrigger[] = [
  ...deliveryTriggers('deliveries'),
  ...deliveryTriggers('webhook_deliveries'),
  queueTrigger('pdf_jobs'),
  queueTrigger('logout_notices'),
]
