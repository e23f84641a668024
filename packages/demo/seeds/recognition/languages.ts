import type { Person } from '../people.ts'
import type { World } from '../world.ts'

const ENGLISH = 2
const OTHERS = [4, 5]

/** The language of the campus, English, and now and then another language, in the order of preference. */
export async function seedLanguages(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('languages_users')
  const rows = people.flatMap(({ id, campus, createdAt }) => {
    const own = campus.languageId
    const second = own !== ENGLISH && chance.chance(0.7) ? [ENGLISH] : []
    const third = chance.chance(0.1) ? [chance.pick(OTHERS)] : []
    return [own, ...second, ...third].map((language_id, index) => {
      return { user_id: id, language_id, position: index + 1, created_at: createdAt }
    })
  })
  await world.insert('languages_users', rows)
}
