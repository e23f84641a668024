import type { Recording } from '@campus/engine/database/functions/change-triggers'

/** Tables of the school whose changes or inserts are not recorded. A resource declares itself whether its rows are (`recordsRows`). */
export const SCHOOL_RECORDING: Pick<Recording, 'neverCached' | 'insertsUnrecorded'> = {
  neverCached: [
    // Requests, sign-ins and grants.
    'application_calls',
    'application_route_calls',
    'application_refusals',
    'sessions',
    'attempts',
    'known_browsers',
    'password_resets',
    'first_administrator_links',
    'token_families',
    'authorization_codes',
    'refresh_tokens',
    'openid_sessions',
    // Keys of the installation.
    'installation',
    'sealed_secrets',
    'sealing_keys',
    // Background work.
    'endpoint_failures',
    'webhook_failures',
    'pdf_jobs',
    'logout_notices',
    'mails',
    'mail_senders',
    'counted_marks',
    // Rows of the mirror that are read from another service and written later.
    'mirror_source',
    'mirror_places',
    'mirror_rows',
    'mirror_lists',
    'mirror_gone',
    'mirror_problems',
  ],
  insertsUnrecorded: ['access_tokens'],
}
