import { wireTime } from './community/sql.ts'

const campus = `json_build_object('id', c.id, 'name', c.name, 'created_at', ${wireTime('c.created_at')}, 'updated_at', ${wireTime('c.updated_at')},
  'time_zone', c.time_zone, 'language_id', c.language_id, 'slug', c.slug, 'main_email', c.main_email, 'endpoint_id', c.endpoint_id,
  'vogsphere_id', c.vogsphere_id)`

const ofUser = 'from campus_users m join campus c on c.id = m.campus_id where m.user_id = u.id'

/** The representation `webservice` of the user `u` in SQL, since a seed has no engine that could read it. */
export const WEBSERVICE_RECORD = `json_build_object('uid', u.login, 'login', u.login, 'id', u.id, 'email', u.email,
  'created_at', ${wireTime('u.created_at')}, 'updated_at', ${wireTime('u.updated_at')},
  'image_url', regexp_replace(u.image, '^[a-z][a-z0-9+.-]*://[^/]*', '', 'i'), 'first_name', u.first_name,
  'last_name', u.last_name, 'phone', u.phone, 'pool_year', u.pool_year, 'pool_month', u.pool_month, 'kind', u.kind, 'status', u.status,
  'campus', coalesce((select json_agg(${campus} order by c.id) ${ofUser}), '[]'),
  'primary_campus', (select ${campus} ${ofUser} and m.is_primary))`
