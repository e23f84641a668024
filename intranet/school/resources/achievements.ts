import { either, open, permit, person } from '@campus/engine/rest/declare/access'
import { boolean, choice, integer, reference, slug, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { namesOf, url } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { borrowed, many, one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

export const achievements = resource({
  name: 'achievements',
  summary: 'Something that users win by what they do.',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    description: described('what it is won by', text({ required: true })),
    tier: described('how hard it is to win', choice(['none', 'easy', 'medium', 'hard', 'challenge'])),
    kind: described('what part of school life it belongs to', choice(['project', 'social', 'scolarity', 'pedagogy'])),
    visible: described('whether it is meant to be shown to everybody', boolean()),
    image: described('address of its picture', text({ nullable: true, isOneLine: true })),
    nbr_of_success: described(
      'how many successes it takes; null where that is not counted',
      integer({ min: 0, nullable: true }),
    ),
    users_url: described('address of the list of users who have won it', url('/v2/achievements/:id/users')),
    achievements: described(
      'achievements that follow on it',
      many('achievements', 'embedded', { foreignKey: 'parent_id' }),
    ),
    parent: described('achievement that it follows on; null where it is the first', one('achievements', 'embedded')),
    title: described('title that comes with it; null where none does', one('titles', 'record')),
    campus: described(
      'names of the campuses where it can be won',
      namesOf('campus', { through: joins.achievementsCampus }),
    ),
    slug: slug({ hidden: true }),
    parent_id: described(
      'id of the achievement that it follows on; null where it is the first',
      reference('achievements', { nullable: true, hidden: true }),
    ),
    title_id: described(
      'id of the title that comes with it; null where none does',
      reference('titles', { nullable: true, hidden: true }),
    ),
    ...timestamps({ hidden: true }),
    reward: described('points that come with it', integer({ min: 0, hidden: true })),
    position: described('place in lists of achievements, lowest first', integer({ min: 0, hidden: true })),
  },
  representations: { embedded: { except: ['achievements', 'parent', 'title', 'campus'] } },
  index: {
    sort: { except: ['description', 'image'] },
    defaultSort: ['id'],
  },
  // Hidden achievements are shown to users only (spec: coalitions 3).
  concealed: { unless: 'visible', access: either(role('Basic Staff'), person) },
  parents: [
    under('campus', { through: joins.achievementsCampus }),
    under('users', { through: joins.achievementsUsers }),
    under('titles'),
  ],
  payload: {
    links: { campus_ids: joins.achievementsCampus },
    slugFrom: 'name',
  },
  dependents: { deleted: ['achievements_campus.achievement_id'], released: ['achievements.parent_id'] },
  actions: permit({ read: open, write: role('Advanced Staff') }),
})

export const achievementsUsers = resource({
  name: 'achievements_users',
  summary: 'A user has won an achievement.',
  large: true,
  fields: {
    id: integer(),
    achievement_id: reference('achievements', { required: true }),
    user_id: reference('users', { required: true }),
    login: described('login of the user', borrowed('users', 'user_id', text())),
    nbr_of_success: described(
      'how many successes the user had; null where that is not counted',
      integer({ min: 0, nullable: true }),
    ),
    url: described('address of the user in this API', borrowed('users', 'user_id', url('/v2/users/:login'))),
    ...timestamps(),
    rewarded: described('whether the user got the points that come with it', boolean({ hidden: true })),
  },
  parents: [under('users', { actions: ['index', 'create'] }), under('achievements', { actions: ['index', 'create'] })],
  actions: permit({ read: open, write: either(role('Achievements Manager'), role('Advanced Staff')) }),
})
