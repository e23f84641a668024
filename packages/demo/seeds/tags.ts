import { defined } from '@campus/engine/base/defined'
import { isOneOf } from '@campus/engine/base/narrow'
import { withIds } from './bulk-insert.ts'
import { TAGS } from './forum-texts.ts'
import type { Person } from './people.ts'
import { CORE, ENTRY_POOL, openedAt } from './school.ts'
import { toSecond } from './time.ts'
import type { World } from './world.ts'

const BEARERS = 16

/** The tags of the forum and those that people bear. Gives the ids by name. */
export async function seedTags(world: World, people: readonly Person[]): Promise<ReadonlyMap<string, number>> {
  const chance = world.random('tags')
  const opened = openedAt(world.now)
  const names = [...TAGS.topics, ...TAGS.people, ...TAGS.archived]
  const ids: ReadonlyMap<string, number> = new Map(names.map((name, index) => [name, index + 1]))
  const idsOf = (group: readonly string[]) => group.map((name) => defined(ids.get(name)))
  await world.insert(
    'tags',
    names.map((name, index) => ({
      id: index + 1,
      name,
      kind: isOneOf(TAGS.archived, name) ? 'archived' : 'general',
      description: null,
      created_at: opened,
      updated_at: opened,
    })),
  )
  const taught = idsOf([...TAGS.topics, 'Mentor', 'Tutor'])
  const cursus = [CORE, ENTRY_POOL].flatMap((cursus_id) => taught.map((tag_id) => ({ tag_id, cursus_id })))
  await world.insert('tags_cursus', withIds(cursus))

  const someone = people.length === 0 ? [] : Array.from({ length: BEARERS })
  const bearers = idsOf([...TAGS.people, ...TAGS.archived]).flatMap((tag_id) =>
    [...new Set(someone.map(() => chance.pick(people)))].map(({ id, campus, createdAt }) => {
      const since = toSecond(chance.between(createdAt, world.now))
      const campus_id = chance.chance(0.5) ? campus.id : null
      return { tag_id, user_id: id, campus_id, created_at: since, updated_at: since }
    }),
  )
  await world.insert('tags_users', withIds(bearers))
  return ids
}
