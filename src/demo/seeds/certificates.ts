import { numbered, TIMES } from './campus-life/times.ts'
import type { Person } from './people.ts'
import { CORE, openedAt } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Name, what it certifies, and the days in the core curriculum after which about half of the students have it. */
const CERTIFICATES = [
  ['Foundations', 'Has built ten programs that others found good.', 200],
  ['Collaboration', 'Has explained code to others, and understood theirs.', 350],
  ['Systems', 'Knows what happens between a key and a letter.', 500],
] as const

const COLUMNS = { id: 'integer', name: 'text', content: 'text', cursus_id: 'integer', ...TIMES } as const
const USERS = {
  id: 'integer',
  certificate_id: 'integer',
  user_id: 'integer',
  certificate_number: 'integer',
  certified_at: 'timestamptz',
  ...TIMES,
} as const

/** What students of the core curriculum have been certified. */
export async function seedCertificates(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('certificates')
  const opened = openedAt(world.now)
  const certificates = CERTIFICATES.map(([name, content], index) => {
    return { id: index + 1, name, content, cursus_id: CORE, created_at: opened, updated_at: opened }
  })
  await world.insert('certificates', COLUMNS, certificates.length, certificates)
  const rows = CERTIFICATES.flatMap(([, , days], index) => {
    const given = people.flatMap(({ id, core, presentUntil }) => {
      const at = core && toSecond(core.beginAt + days * DAY)
      const isGiven = at !== undefined && at < Math.min(world.now, presentUntil) && chance.chance(0.5)
      return isGiven ? { user_id: id, certified_at: at, created_at: at, updated_at: at } : []
    })
    return numbered(given).map(({ id, ...row }) => ({ certificate_id: index + 1, certificate_number: id, ...row }))
  })
  await world.insert('certificates_users', USERS, rows.length, numbered(rows))
}
