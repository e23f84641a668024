import type { Caller } from '@campus/engine/http/caller'
import { requirePowerOverRecord } from '../../../access/campus-records.ts'
import { rolesOfStaff } from '../../../access/powers.ts'
import { SCOPES } from '../../../access/scopes.ts'
import { recordWrite } from '../../../services/audit/record-audits.ts'
import { actorOf } from '../../actor.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { SITE } from '../../page-header.ts'

/** Returns the person as a caller with their roles at the school. Writes are audited. */
export async function staffCaller(context: PersonPageContext): Promise<Caller> {
  const { person, browser, dependencies } = context
  const { database, clock } = dependencies
  const roles = await rolesOfStaff(database, person.id)
  return {
    application: { id: 0, uid: '', name: SITE, ratePerSecond: 0, ratePerHour: 0, roles },
    scopes: Object.keys(SCOPES),
    resourceOwnerId: person.id,
    address: browser.address,
    authorizeWrite: (tx, table, id) => requirePowerOverRecord(tx, person.id, { table, id }),
    onWrite: (tx, written) => recordWrite(tx, { ...written, actor: actorOf(context), now: clock.now() }),
  }
}

/** The context of a page that calls the API as a member of the staff. */
export type StaffContext = PersonPageContext & { readonly caller: Caller }

export const staffContext = async (context: PersonPageContext): Promise<StaffContext> => ({
  ...context,
  caller: await staffCaller(context),
})
