import type { QueryActionDeclaration } from '@campus/engine/rest/declare/declaration'
import { objectSchema } from '@campus/engine/rest/declare/fields/computed'
import { withMeaning } from '@campus/engine/rest/declare/fields/field'
import { type JsonSchema, textKind } from '@campus/engine/rest/declare/fields/kinds'
import { readCampusStats } from '../domain/school/campus-stats.ts'
import { role } from './access.ts'

const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const count = (meaning: string) => withMeaning(COUNT, meaning)

/** The record is our own: the public service shows it only with a role, and no client reads it (spec: school 10). */
export const statsOfCampus: QueryActionDeclaration = {
  access: role('Basic Staff'),
  description: 'tells how many people a campus has, and what goes on there',
  read: readCampusStats,
  schema: () =>
    objectSchema({
      campus_id: count('id of the campus'),
      users: objectSchema({
        total: count('everybody who belongs to the campus'),
        students: count('those who study'),
        staff: count('those who are staff'),
        externals: count('those from outside'),
        alumni: count('those who are alumni'),
        closed: count('those whose account is closed'),
      }),
      logged_in: count('users who sit at a computer of the campus now'),
      events_to_come: count('events of the campus that have not begun'),
      exams_to_come: count('exams of the campus that have not begun'),
      cursus: {
        type: 'array',
        description: 'Courses that users of the campus follow now.',
        items: objectSchema({
          id: count('id of the course'),
          name: { ...textKind().schema, description: 'What it is called.' },
          slug: { ...textKind().schema, description: 'Its name in addresses.' },
          users: count('users of the campus who follow it now'),
        }),
      },
    }),
}
