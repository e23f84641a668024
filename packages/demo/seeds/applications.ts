import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { Person } from './people.ts'
import { DAY } from './time.ts'
import type { World } from './world.ts'

/** Name, description, subdomain of the website, and scopes. */
const APPLICATIONS = [
  ['Cluster Map', 'Who sits where, floor by floor.', 'map', ['public']],
  ['Evening Forum', 'The forum on a telephone.', 'forum', ['public', 'forum']],
  ['Slot Finder', 'Finds an hour at which everybody of a team is free.', 'slots', ['public', 'projects', 'profile']],
] as const

/** Published applications of students. Their secrets are unknown. */
export async function seedApplications(world: World, people: readonly Person[], db: Handle): Promise<void> {
  const chance = world.random('applications')
  const makers = people.filter(({ core }) => core && core.endAt === undefined)
  for (const [name, description, subdomain, scopes] of APPLICATIONS) {
    const hex = () => Array.from({ length: 64 }, () => chance.integer(0, 15).toString(16)).join('')
    const owner = makers.length > 0 ? chance.pick(makers).id : null
    const since = new Date(world.now - chance.integer(20, 300) * DAY).toISOString()
    const website = `https://${subdomain}.campus.example`
    await sql`insert into applications (name, uid, secret_digest, owner_id, description, website, public, scopes, created_at, updated_at)
       values (${name}, ${hex()}, decode(${hex()}, 'hex'), ${owner}, ${description}, ${website}, true, ${scopes}, ${since}, ${since})`.execute(
      db.kysely,
    )
  }
}
