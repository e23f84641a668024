import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { Person } from './people.ts'
import { DAY } from './time.ts'
import type { World } from './world.ts'

const APPLICATIONS = [
  {
    name: 'Cluster Map',
    description: 'Who sits where, floor by floor.',
    website: 'https://map.campus.example',
    scopes: ['public'],
  },
  {
    name: 'Evening Forum',
    description: 'The forum on a telephone.',
    website: 'https://forum.campus.example',
    scopes: ['public', 'forum'],
  },
  {
    name: 'Slot Finder',
    description: 'Finds an hour at which everybody of a team is free.',
    website: 'https://slots.campus.example',
    scopes: ['public', 'projects', 'profile'],
  },
]

/** Published applications of students. Their secrets are unknown. */
export async function seedApplications(world: World, people: readonly Person[], db: Handle): Promise<void> {
  const chance = world.random('applications')
  const makers = people.filter(({ core }) => core && core.endAt === undefined)
  for (const { name, description, website, scopes } of APPLICATIONS) {
    const hex = () => Array.from({ length: 64 }, () => chance.integer(0, 15).toString(16)).join('')
    const owner = makers.length > 0 ? chance.pick(makers).id : null
    const since = new Date(world.now - chance.integer(20, 300) * DAY).toISOString()
    await sql`insert into applications (name, uid, secret_digest, owner_id, description, website, public, scopes, created_at, updated_at)
       values (${name}, ${hex()}, decode(${hex()}, 'hex'), ${owner}, ${description}, ${website}, true, ${scopes}, ${since}, ${since})`.execute(
      db.kysely,
    )
  }
}
