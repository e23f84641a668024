import { message } from '@campus/engine/base/languages/say'
import { all, open, permit } from '@campus/engine/rest/declare/access'
import { choice, integer, ofKind, reference, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { jsonTextKind } from '@campus/engine/rest/declare/fields/json-text-kind'
import { WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { whenWhole } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role, scope } from './access.ts'

const KINDS = [
  ...['project', 'rush', 'exam', 'first_internship', 'second_internship'],
  ...['big_project', 'piscine', 'part_time'],
]

const NUMBER = { type: 'number' } as const
const MAX_LINES = 1000

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Place on the map, `[2350.0, 3450.0]`. Always written with a fraction, since clients read floats. */
const place = jsonTextKind({ type: 'array', items: NUMBER, minItems: 2, maxItems: 2 }, (value) => {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(isNumber))
    throw new WrongValue('must be a list of two numbers, such as [2350.0, 3450.0]')
  const texts = value.map((number) =>
    Number.isInteger(number) && Math.abs(number) < 1e15 ? number.toFixed(1) : `${number}`,
  )
  return `[${texts.join(',')}]`
})

/** Lines on the map, each with the id of a project, its begin and its end. */
const lines = jsonTextKind(
  { type: 'array', items: { type: 'array', items: NUMBER, minItems: 5, maxItems: 5 }, maxItems: MAX_LINES },
  (value) => {
    const isLine = (line: unknown) =>
      Array.isArray(line) &&
      line.length === 5 &&
      line.every(isNumber) &&
      Number.isInteger(line[0]) &&
      Number(line[0]) > 0
    if (!Array.isArray(value) || !value.every(isLine))
      throw new WrongValue('must be a list of lines, each as [project_id, x1, y1, x2, y2]')
    if (value.length > MAX_LINES) throw new WrongValue(message('holds more than {most} lines', { most: MAX_LINES }))
    return JSON.stringify(value)
  },
)

export const projectData = resource({
  name: 'project_data',
  singular: 'project_data',
  summary: 'Where a session of a project is drawn on the map of a cursus.',
  fields: {
    id: integer(),
    coordinates: described(
      'place on the map, as x and y; in a payload as JSON text, too',
      ofKind(place, { required: true }),
    ),
    by: described(
      'lines that lead there, each as `[project_id, x1, y1, x2, y2]`; in a payload as JSON text, too',
      ofKind(lines),
    ),
    kind: described('how it is drawn', choice(KINDS, { required: true })),
    project_session_id: reference('project_sessions', { required: true }),
    ...timestamps({ hidden: true }),
  },
  index: {
    filter: { except: ['coordinates', 'by'] },
    range: { except: ['coordinates', 'by'] },
    customFilters: {
      coordinates: described('whose `coordinates` are these, as JSON text', whenWhole('coordinates', place)),
      by: described('whose `by` is this, as JSON text', whenWhole('by', lines)),
    },
  },
  parents: [under('project_sessions')],
  actions: permit({ read: open, write: all(scope('projects'), role('Advanced Tutor')) }),
})
