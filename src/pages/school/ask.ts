import type { Caller } from '../../http/caller.ts'
import { addressOfCall, type Call } from '../../rest/in-process.ts'
import { SCOPES } from '../../scopes.ts'
import { SITE } from '../bar.ts'
import type { PersonsVisit } from '../visit.ts'

/** What the API told: the call as it would be sent, what it says, and of a list how many records there are in all. */
export type Told<T> = { readonly address: string; readonly value: T; readonly total: number }

type Where = Pick<Call, 'params' | 'query'>

/** Reads from the API as whoever visits. Throws what it refuses with. */
export async function ask<T>(visit: PersonsVisit, path: string, where: Where = {}): Promise<Told<T>> {
  const call: Call = { method: 'GET', path, ...where }
  const { bytes, headers } = await visit.dependencies.askApi(callerOf(visit), call)
  const value = JSON.parse(String(bytes)) as T
  return { address: addressOfCall(call), value, total: Number(headers['x-total'] ?? 1) }
}

/** Writes through the API as whoever visits. Throws what it refuses with. */
export async function send(visit: PersonsVisit, call: Call & { readonly method: 'POST' | 'DELETE' }): Promise<void> {
  await visit.dependencies.askApi(callerOf(visit), call)
}

/** The rights of any application that the person could allow everything: every scope, and no role. */
const callerOf = ({ person }: PersonsVisit): Caller => ({
  application: { id: 0, uid: '', name: SITE, roles: [], ratePerSecond: 0, ratePerHour: 0 },
  scopes: Object.keys(SCOPES),
  resourceOwnerId: person.id,
})
