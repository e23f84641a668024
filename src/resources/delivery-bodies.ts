import type { Guard } from '../rest/declare/guard.ts'
import { caller, column, sql } from '../rest/declare/sql.ts'
import { powerOverEndpointSql } from '../webhooks/power-over-endpoint.ts'

/**
 * Bodies of deliveries are for users with power over the webservice; applications without a user have it by their
 * roles.
 */
export const BODIES_ARE_SECRET: Guard = {
  hides: sql`(${caller.person} is not null and not ${powerOverEndpointSql(caller.person, column('endpoint_id'))})`,
}
