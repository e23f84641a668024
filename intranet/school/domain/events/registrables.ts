import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { insertRows } from '@campus/engine/database/insert-rows'
import { lockPlaces, moveUp, type Registrable } from './places.ts'
import { closeWaitlist, openWaitlist } from './waitlists.ts'

export const announce =
  (registrable: Registrable) =>
  async (tx: Handle, { values, now }: ActionInput): Promise<number> => {
    const { activate_waitlist: wantsWaitlist, ...columns } = values
    const row = { ...columns, created_at: now, updated_at: now }
    const [made] = await insertRows(tx, registrable.table, [row], { returning: ['id'] })
    const id = Number(made?.[0])
    if (wantsWaitlist === true) await openWaitlist(tx, registrable, id, now)
    return id
  }

/** Free places go to users on the waitlist. */
export const change =
  (registrable: Registrable) =>
  async (tx: Handle, { id, values, nestedKeys, now }: ActionInput): Promise<number> => {
    const { activate_waitlist: wantsWaitlist, ...columns } = values
    const before = await lockPlaces(tx, registrable, id)
    const hasWaitlist = before?.waitlist_id != null
    const changesWaitlist = typeof wantsWaitlist === 'boolean' && wantsWaitlist !== hasWaitlist
    if (Object.keys(columns).length + nestedKeys.size > 0 || changesWaitlist) {
      await tx.kysely
        .updateTable(registrable.table)
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
