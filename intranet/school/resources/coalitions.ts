import { message } from '@campus/engine/base/languages/say'
import type { FieldErrors } from '@campus/engine/errors'
import { either, open, permit } from '@campus/engine/rest/declare/access'
import { integer, reference, slug, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { pictureAddress, picturePathOf, signedPicture, sqlInteger } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import type { Column, Field } from '@campus/engine/rest/declare/fields/field'
import { textKind } from '@campus/engine/rest/declare/fields/kinds'
import { whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { column, sql, sqlFunction } from '@campus/engine/rest/declare/sql'
import { pictureKind } from '../../services/attachments/pictures.ts'
import { createCoalition, updateCoalition } from '../domain/coalitions/coalitions.ts'
import { role } from './access.ts'
import { fileUrl } from './file-url.ts'
import * as joins from './join-tables.ts'
import { optionalParameter } from './parameters.ts'

/** Tutors and staff run the game (spec: coalitions 6). */
export const gameMasters = either(role('Advanced Tutor'), role('Advanced Staff'))

const optional = { nullable: true } as const
const hidden = { hidden: true } as const
const hiddenOptional = { ...hidden, ...optional } as const

const PICTURES = ['image', 'cover'] as const
type PictureName = (typeof PICTURES)[number]

/** Address that staff gave, or the address of an uploaded file. */
const pictureUrl = (name: PictureName): Field<Column<string, true>> => ({
  ...pictureAddress(signedPicture([`${name}_file_id`, `${name}_file_name`, `${name}_url`], fileUrl)),
  stored: {
    kind: textKind({ max: 2048, isOneLine: true }),
    nullable: true,
    column: `${name}_url`,
    fromShown(input, wire) {
      const path = picturePathOf(input, wire)
      return typeof path === 'string' && path.startsWith('/files/') ? undefined : path
    },
  },
})

function errorsOfPictures(values: Readonly<Record<string, unknown>>): FieldErrors {
  const twice = PICTURES.filter((name) => values[name] != null && values[`${name}_url`] != null)
  return Object.fromEntries(
    twice.map((name) => [name, [message('cannot come with {field}', { field: `${name}_url` })]]),
  )
}

export const coalitions = resource({
  name: 'coalitions',
  summary: 'One of the houses of a bloc, which gather points against each other.',
  retainedTexts: 'names of coalitions',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    slug: slug(),
    image_url: described('address of its coat of arms', pictureUrl('image')),
    cover_url: described('address of its background picture', pictureUrl('cover')),
    color: described(
      'its colour, as `#a1b2c3`',
      text({ pattern: [/^#[0-9a-f]{6}$/i, 'must look like #a1b2c3'], ...optional, required: true }),
    ),
    score: described('points that it has gathered', integer()),
    user_id: described('id of the user who leads it; null where nobody does', reference('users', optional)),
    bloc_id: described(
      'id of the bloc in which it stands; null for one from before there were blocs',
      reference('blocs', { ...hiddenOptional, required: true }),
    ),
    image: described(
      'name of the file of its coat of arms; null without one',
      text({ column: 'image_file_name', ...hiddenOptional }),
    ),
    cover: described(
      'name of the file of its background picture; null without one',
      text({ column: 'cover_file_name', ...hiddenOptional }),
    ),
    ...timestamps(hidden),
  },
  index: { defaultSort: ['-created_at', '-id'] },
  parents: [
    under('users', { through: joins.coalitionsUsers, asParameter: true }),
    under('blocs', { asParameter: true }),
  ],
  payload: {
    accepts: { except: ['image', 'cover'] },
    extra: {
      image: optionalParameter('file of its coat of arms; null takes it away', pictureKind),
      cover: optionalParameter('file of its background picture; null takes it away', pictureKind),
    },
    files: PICTURES,
    together: errorsOfPictures,
  },
  dependents: { deleted: ['coalition_standings.coalition_id'], released: ['bloc_deadlines.coalition_id'] },
  actions: {
    index: open,
    show: open,
    create: { access: gameMasters, perform: createCoalition },
    update: { access: gameMasters, perform: updateCoalition },
    destroy: { access: gameMasters },
  },
})

const placeInCoalition = sqlFunction('place_in_coalition', ['coalition_standings'])

/** `score` and `this_year_score` are one column. */
function errorsOfScores({ score, this_year_score }: Readonly<Record<string, unknown>>): FieldErrors {
  const isTwice = score !== undefined && this_year_score !== undefined && score !== this_year_score
  return isTwice ? { this_year_score: ['must be the same as score or left out'] } : {}
}

export const coalitionsUsers = resource({
  name: 'coalitions_users',
  summary: 'A user belongs to a coalition, with the points that they brought it.',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    coalition_id: reference('coalitions', { required: true }),
    user_id: reference('users', { required: true }),
    score: described('points that the user brought it', integer()),
    rank: described(
      'place of the user in the coalition by points, 1 for the most; those with the same points share it',
      sqlInteger(sql`${placeInCoalition}(${column('coalition_id')}, ${column('score')})`),
    ),
    ...timestamps(),
    this_year_score: described('points that the user brought it, as `score`', integer({ column: 'score', ...hidden })),
    this_year_score_updated_at: described('when points were last counted; null before', time(hiddenOptional)),
  },
  index: {
    defaultSort: ['-created_at', '-id'],
    customFilters: { this_year_score_updated: whenSet('this_year_score_updated_at') },
  },
  parents: [under('coalitions', { actions: ['index', 'create'] }), under('users', { actions: ['index', 'create'] })],
  payload: { together: errorsOfScores },
  dependents: { released: ['scores.coalitions_user_id'] },
  lockedAfter: ['coalition_id'],
  actions: permit({ read: open, write: gameMasters }),
})
