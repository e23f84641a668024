import type { Rows } from './bulk-connection.ts'

/** Memory that is taken only as far as rows fill it: to sort and join millions of them in the default takes many rounds. */
const ROOM = [
  ['maintenance_work_mem', '256MB'],
  ['work_mem', '64MB'],
] as const

/** Lets the transaction have memory for work on whole tables. */
export async function takeRoom(rows: Rows): Promise<void> {
  for (const [name, value] of ROOM) await rows(`set local ${name} = '${value}'`)
}

/** Recounts all aggregates, while no one writes to their tables. */
export async function recountAll(rows: Rows): Promise<void> {
  await rows('select recount_all()')
}
