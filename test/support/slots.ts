import type { World } from './campus.ts'

/** Inserts slots of a user, in quarters of an hour. Gives their ids. */
export async function offered(
  { build }: World,
  userId: number,
  beginAt: string,
  minutes = 30,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (let passed = 0; passed < minutes; passed += 15) {
    const begin = Date.parse(beginAt) + passed * 60_000
    const times = { begin_at: new Date(begin), end_at: new Date(begin + 15 * 60_000) }
    ids.push(await build.record('slots', { user_id: userId, ...times }))
  }
  return ids
}
