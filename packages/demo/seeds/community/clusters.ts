import { drawingPath } from '../../drawing-path.ts'
import { withIds } from '../bulk-insert.ts'
import { CAMPUSES, openedAt } from '../school.ts'
import { DAY, HOUR, toSecond } from '../time.ts'
import type { World } from '../world.ts'

const CLUSTERS = ['Kepler', 'Noether', 'Turing']

/** What a campus says, how many hours ago, for how many hours it stays on top, and whether it has been hidden since. */
const BROADCASTS = [
  ['Lost: one red scarf. Found: three blue ones.', 20, null, false],
  ['The lift is out of order: please take the stairs.', 30, null, true],
  ['The kitchen opens at noon today.', 5, null, false],
  ['Exams on Friday: the second floor stays quiet.', 2, 48, false],
] as const

/** The rooms of each campus, and what it says to those who come by. */
export async function seedClusters(world: World): Promise<void> {
  const opened = openedAt(world.now)
  const clusters = withIds(
    CAMPUSES.flatMap(({ id, slug }) =>
      CLUSTERS.map((name, floor) => {
        const image = drawingPath('clusters', `${slug}-${floor}`)
        return { name, campus_id: id, image, created_at: opened, updated_at: opened }
      }),
    ),
  )
  await world.insert('clusters', clusters)

  const broadcasts = withIds(
    BROADCASTS.flatMap(([content, hoursAgo, pinnedHours, isHidden]) =>
      CAMPUSES.map(({ id, slug }) => {
        const at = toSecond(world.now - hoursAgo * HOUR - id * DAY)
        return {
          ...{ campus_id: id, tag_id: null, content, created_at: at, updated_at: at, position: 0 },
          pinned_until: pinnedHours === null ? null : at + pinnedHours * HOUR,
          hidden_at: isHidden ? at + 10 * HOUR : null,
          url: pinnedHours === null ? null : `https://news.campus.example/${slug}`,
        }
      }),
    ),
  )
  await world.insert('broadcasts', broadcasts)
}
