import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** Notifies the applications of a session when it ends (OpenID Connect Back-Channel Logout 1.0). */
export const OPENID_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'notify_of_logout',
    body: `
      begin
        with gone as (
          delete from openid_sessions using ended where session_id = ended.id
          returning openid_sessions.application_id, openid_sessions.user_id, openid_sessions.sid,
            openid_sessions.sector
        )
        insert into logout_notices (application_id, user_id, sid, sector, created_at, due_at)
        select gone.application_id, gone.user_id, gone.sid, gone.sector, now(), to_timestamp(0)
        from gone join applications on applications.id = gone.application_id
        where applications.backchannel_logout_uri is not null;
        return null;
      end
    `,
  },
]

export const OPENID_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'sessions_ended',
    table: 'sessions',
    on: 'after delete',
    transitions: 'old table as ended',
    call: 'notify_of_logout()',
  },
]
