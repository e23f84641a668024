import type { Database } from '@campus/engine/database/database'
import { until } from './until.ts'

/** Resolves when the service that runs has made the calls to campuses, or what they are made of, of all that was committed. */
export const callsMade = ({ rows }: Pick<Database, 'rows'>): Promise<void> =>
  until(async () => {
    const [row] = await rows(`
      select not exists (select from endpoints where active)
        or not exists (select from change_log where not pg_visible_in_snapshot(xid, snapshot))
          and position <= (select position from feed_readers where name = 'campuses')
      from feed_relay`)
    return row?.[0] === 't'
  })
