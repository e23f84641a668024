import { drawingPath } from '../../drawing-path.ts'
import { CAMPUSES } from '../school.ts'
import { DAY, HOUR, toSecond } from '../time.ts'
import type { World } from '../world.ts'

const CLUSTERS = ['Kepler', 'Noether', 'Turing']

/** Content, age in hours, hours for which it is pinned, and whether it is hidden. */
const BROADCASTS = [
  ['Lost: one red scarf. Found: three blue ones.', 20, null, false],
  ['The lift is out of order: please take the stairs.', 30, null, true],
  ['The kitchen opens at noon today.', 5, null, false],
  ['Exams on Friday: the second floor stays quiet.', 2, 48, false],
] as const

/** The clusters and broadcasts of each campus. */
export async function seedClusters(world: World): Promise<void> {
  const clusters = CAMPUSES.flatMap(({ id, slug }) =>
    CLUSTERS.map((name, floor) => ({ name, campus_id: id, image: drawingPath('clusters', `${slug}-${floor}`) })),
  )
  await world.insert('clusters', clusters)
  const broadcasts = BROADCASTS.flatMap(([content, hoursAgo, pinnedHours, isHidden]) =>
    CAMPUSES.map(({ id, slug }) => {
      const created_at = toSecond(world.now - hoursAgo * HOUR - id * DAY)
      return {
        campus_id: id,
        tag_id: null,
        content,
        position: 0,
        pinned_until: pinnedHours === null ? null : created_at + pinnedHours * HOUR,
        hidden_at: isHidden ? created_at + 10 * HOUR : null,
        url: pinnedHours === null ? null : `https://news.campus.example/${slug}`,
        created_at,
      }
    }),
  )
  await world.insert('broadcasts', broadcasts)
}
