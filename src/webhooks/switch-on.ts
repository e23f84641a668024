import type { Handle } from '../database/database.ts'
import type { SqlValue } from '../rest/fields/kinds.ts'
import type { WriteInput } from '../rest/resource.ts'

/** Whoever says where the webservice is wants it called, unless they say otherwise. */
export async function switchOn(tx: Handle, { id, values }: WriteInput): Promise<number> {
  const isSwitched = values.active !== undefined
  if (values.url === undefined || isSwitched) return id
  await tx.kysely
    .updateTable('endpoints')
    .set({ active: true })
    .where('id', '=', id)
    .where('active', '=', false)
    .execute()
  return id
}

/** What is wrong with the address of a webservice, if anything. Whether it may be called is seen at every call. */
export function addressRule(value: SqlValue): string | undefined {
  const url = URL.parse(String(value))
  if (url?.protocol !== 'https:' || url.username || url.password || url.hash) {
    return 'must be an https:// address without a user name, such as https://users.example.org/hooks'
  }
  return undefined
}
