import { defined } from '@campus/engine/base/defined'
import { isOneOf } from '@campus/engine/base/narrow'
import { TAGS } from './forum-texts.ts'
import type { Person } from './people.ts'
import { CORE, ENTRY_POOL } from './school.ts'
import { toSecond } from './time.ts'
import type { World } from './world.ts'

const BEARERS = 16

/** The tags of the forum and of people. Returns the ids by name. */
export async function seedTags(world: World, people: readonly Person[]): Promise<ReadonlyMap<string, number>> {
  const chance = world.random('tags')
  const names = [...TAGS.topics, ...TAGS.people, ...TAGS.archived]
  const ids: ReadonlyMap<string, number> = new Map(names.map((name, index) => [name, index + 1]))
  const idsOf = (group: readonly string[]) => group.map((name) => defined(ids.get(name)))
  const tags = names.map((name) => {
    return { name, kind: isOneOf(TAGS.archived, name) ? 'archived' : 'general', description: null }
  })
  await world.insert('tags', tags)
  const taught = idsOf([...TAGS.topics, 'Mentor', 'Tutor'])
  const cursus = [CORE, ENTRY_POOL].flatMap((cursus_id) => taught.map((tag_id) => ({ tag_id, cursus_id })))
  await world.insert('tags_cursus', cursus)

  const someone = people.length === 0 ? [] : Array.from({ length: BEARERS })
  const bearers = idsOf([...TAGS.people, ...TAGS.archived]).flatMap((tag_id) =>
    [...new Set(someone.map(() => chance.pick(people)))].map(({ id, campus, createdAt }) => {
      const created_at = toSecond(chance.between(createdAt, world.now))
      return { tag_id, user_id: id, campus_id: chance.chance(0.5) ? campus.id : null, created_at }
    }),
  )
  await world.insert('tags_users', bearers)
  return ids
}
