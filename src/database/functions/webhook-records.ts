import type { SqlFunction } from './definitions.ts'

/** The records of webhooks (spec: webhooks 2), but for `key`, `password` and `meta`, which no table holds. */
export const WEBHOOK_RECORDS: readonly SqlFunction[] = [
  {
    name: 'wire_time',
    parameters: 'moment timestamp with time zone',
    returns: 'text',
    language: 'sql',
    isStable: true,
    body: `
      select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    `,
  },
  {
    name: 'webservice_campus',
    parameters: 'place campus',
    returns: 'json',
    language: 'sql',
    isStable: true,
    body: `
      select json_build_object(
        'id', place.id,
        'name', place.name,
        'created_at', wire_time(place.created_at),
        'updated_at', wire_time(place.updated_at),
        'time_zone', place.time_zone,
        'language_id', place.language_id,
        'slug', place.slug,
        'main_email', place.main_email,
        'endpoint_id', place.endpoint_id,
        'vogsphere_id', place.vogsphere_id)
    `,
  },
  {
    name: 'webservice_user',
    parameters: 'person users',
    returns: 'json',
    language: 'sql',
    isStable: true,
    body: `
      select json_build_object(
        'uid', person.login,
        'login', person.login,
        'id', person.id,
        'email', person.email,
        'created_at', wire_time(person.created_at),
        'updated_at', wire_time(person.updated_at),
        'image_url', regexp_replace(person.image, '^[a-z][a-z0-9+.-]*://[^/]*', '', 'i'),
        'first_name', person.first_name,
        'last_name', person.last_name,
        'phone', person.phone,
        'pool_year', person.pool_year,
        'pool_month', person.pool_month,
        'kind', person.kind,
        'status', person.status,
        'campus', coalesce((
          select json_agg(webservice_campus(c) order by c.id)
          from campus_users cu join campus c on c.id = cu.campus_id where cu.user_id = person.id), '[]'),
        'primary_campus', (
          select webservice_campus(c)
          from campus_users cu join campus c on c.id = cu.campus_id where cu.user_id = person.id and cu.is_primary))
    `,
  },
  {
    name: 'webservice_close',
    parameters: 'shut closes',
    returns: 'json',
    language: 'sql',
    isStable: true,
    body: `
      select json_build_object(
        'id', shut.id,
        'user_id', shut.user_id,
        'closer_id', shut.closer_id,
        'reason', shut.reason,
        'state', shut.state,
        'created_at', wire_time(shut.created_at),
        'updated_at', wire_time(shut.updated_at))
    `,
  },
]
