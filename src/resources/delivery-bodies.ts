import { POWER_OVER_ENDPOINT_TABLES, powerOverEndpointSql } from '../domain/access/powers.ts'
import type { Guard } from '../rest/declare/guard.ts'
import { columnOf } from '../rest/declare/identifiers.ts'
import { PERSON } from '../rest/declare/placeholders.ts'

/**
 * Bodies of deliveries are for users with power over the webservice; applications without a user have it by their
 * roles.
 */
export const BODIES_ARE_SECRET: Guard = {
  hides: {
    where: (alias) => `(${PERSON} is not null and not ${powerOverEndpointSql(PERSON, columnOf(alias, 'endpoint_id'))})`,
    timeDependencies: [],
    tables: POWER_OVER_ENDPOINT_TABLES,
  },
}
