import type { Guard } from '@campus/engine/rest/declare/guard'
import { caller, column, sql } from '@campus/engine/rest/declare/sql'
import { powerOverEndpointSql } from '../../webhooks/power-over-endpoint.ts'

/**
 * Shows bodies to users with power over the webservice, and to applications without a user, which have it by their
 * roles.
 */
export const BODIES_ARE_SECRET: Guard = {
  hides: sql`(${caller.person} is not null and not ${powerOverEndpointSql(caller.person, column('endpoint_id'))})`,
}
