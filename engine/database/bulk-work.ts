import type { Rows } from './bulk-connection.ts'

/** Sorting and joining millions of rows with the defaults would take many passes. Memory is used only as needed. */
const ROOM = [
  ['maintenance_work_mem', '256MB'],
  ['work_mem', '64MB'],
] as const

export async function takeRoom(rows: Rows): Promise<void> {
  for (const [name, value] of ROOM) await rows(`set local ${name} = '${value}'`)
}

/** Recounts all aggregates. Nothing may write to their tables meanwhile. */
export async function recountAll(rows: Rows): Promise<void> {
  await rows('select recount_all()')
}
