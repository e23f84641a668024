import { booking } from './booking.ts'
import { campus } from './campus.ts'
import { campuses } from './campuses.ts'
import { changes } from './changes.ts'
import { COALITION_PAGES } from './coalitions.ts'
import { curriculum } from './curriculum.ts'
import { evaluation } from './evaluation.ts'
import { evaluations } from './evaluations.ts'
import { event } from './event.ts'
import { events } from './events.ts'
import { people } from './people.ts'
import { person } from './person.ts'
import { project } from './project.ts'
import { projects } from './projects.ts'
import { team } from './team.ts'
import { WALL_PAGES } from './wall.ts'

/** The pages of the school, for signed-in users. */
export const PAGES_OF_SCHOOL = [
  ...people,
  ...person,
  ...campuses,
  ...campus,
  ...WALL_PAGES,
  ...COALITION_PAGES,
  ...curriculum,
  ...projects,
  ...project,
  ...events,
  ...event,
  ...evaluations,
  ...booking,
  ...evaluation,
  ...team,
  ...changes,
]
