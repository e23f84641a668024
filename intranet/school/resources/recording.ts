import type { Recording } from '@campus/engine/database/functions/change-triggers'

/** Tables of the school whose changes or inserts are not recorded. A resource declares `recordsRows` itself. */
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
    // Rows that the mirror reads from another service and writes later.
    'mirror_source',
    'mirror_places',
    'mirror_rows',
    'mirror_lists',
    'mirror_gone',
    'mirror_problems',
  ],
  insertsUnrecorded: ['access_tokens'],
}
