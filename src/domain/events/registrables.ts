import type { Insertable } from 'kysely'
import type { ActionInput } from '../../actions.ts'
import type { Handle } from '../../database/database.ts'
import type { Events } from '../../database/schema.ts'
import { lockPlaces, moveUp, type Registrable } from './places.ts'
import { closeWaitlist, openWaitlist } from './waitlists.ts'

/** Announces an event or an exam, with a waitlist where that is asked for. */
export const announce =
  (registrable: Registrable) =>
  async (tx: Handle, { values, now }: ActionInput): Promise<number> => {
    const { activate_waitlist: wantsWaitlist, ...columns } = values
    const { id } = await tx.kysely
      .insertInto(tableOf(registrable))
      .values({ ...(columns as Insertable<Events>), created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (wantsWaitlist === true) await openWaitlist(tx, registrable, id, now)
    return id
  }

/** Changes an event or an exam. Where that leaves places free, those who wait move up. */
export const change =
  (registrable: Registrable) =>
  async (tx: Handle, { id, values, nestedKeys, now }: ActionInput): Promise<number> => {
    const { activate_waitlist: wantsWaitlist, ...columns } = values
    const before = await lockPlaces(tx, registrable, id)
    const hasWaitlist = before?.waitlist_id != null
    const changesWaitlist = typeof wantsWaitlist === 'boolean' && wantsWaitlist !== hasWaitlist
    if (Object.keys(columns).length + nestedKeys.size > 0 || changesWaitlist) {
      await tx.kysely
        .updateTable(tableOf(registrable))
        .set({ ...columns, updated_at: now })
        .where('id', '=', id)
        .execute()
    }
    if (changesWaitlist && wantsWaitlist) await openWaitlist(tx, registrable, id, now)
    const places = await lockPlaces(tx, registrable, id)
    if (places) await moveUp(tx, registrable, places, now)
    if (changesWaitlist && !wantsWaitlist) await closeWaitlist(tx, registrable, id, 'activate_waitlist')
    return id
  }

/** The declaration has seen to it that the columns are the table's own. */
const tableOf = ({ table }: Registrable) => table as 'events'
