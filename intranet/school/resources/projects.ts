import { all, either, open, own, permit } from '@campus/engine/rest/declare/access'
import { through } from '@campus/engine/rest/declare/association'
import { idKind } from '@campus/engine/rest/declare/fields/bounds'
import { boolean, integer, reference, slug, text, texts, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { url } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { fromJoinTable, many, one } from '@campus/engine/rest/declare/fields/embeds'
import { always } from '@campus/engine/rest/declare/fields/group'
import { whenColumn } from '@campus/engine/rest/declare/filters'
import { memberAction } from '@campus/engine/rest/declare/member-action'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { openToRegister } from '../domain/projects/registration.ts'
import { retryOwnProject } from '../domain/projects/retries.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'
import { optionalParameter } from './parameters.ts'
import { FORCE } from './retries.ts'

export const projects = resource({
  name: 'projects',
  summary: 'A piece of work that users do, alone or in teams, and that others evaluate.',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    slug: slug(),
    difficulty: described('how hard it is; a larger number is harder', integer({ min: 0, nullable: true })),
    parent: described('project that it is a part of; null where there is none', one('projects', 'reference')),
    children: described('projects that are parts of it', many('projects', 'reference', { foreignKey: 'parent_id' })),
    attachments: many('attachments', 'embedded'),
    ...timestamps(),
    exam: described('whether it is done in exams', boolean()),
    git_id: described('id of its repository on the Git server', integer({ min: 0, nullable: true })),
    repository: described('path of its repository on the Git server', text({ nullable: true, isOneLine: true })),
    description: described('what is to be done, in a few words', text({ nullable: true })),
    objectives: described('what is learnt', texts()),
    cursus: described(
      'courses of study that it belongs to',
      many('cursus', 'embedded', { through: joins.projectsCursus }),
    ),
    campus: described('campuses that offer it', many('campus', 'embedded', { through: joins.projectsCampus })),
    videos: always([]),
    project_sessions: described(
      'how it goes in each cursus and at each campus',
      many('project_sessions', 'in_project'),
    ),
    project_session_id: described(
      'id of the session under which the user would register',
      fromJoinTable(reference('project_sessions')),
    ),
    url: url('/v2/projects/:slug', { hidden: true }),
    visible: described('whether it is offered for registration', boolean({ hidden: true })),
    parent_id: described(
      'id of the project that it is a part of; null where there is none',
      reference('projects', { nullable: true, hidden: true }),
    ),
    inherited_team: described('whether it is done by the team of the parent project', boolean({ hidden: true })),
    position: described('place in lists of projects, lowest first', integer({ min: 0, hidden: true })),
    has_git: described('whether its teams get a repository', boolean({ hidden: true })),
    has_mark: described('whether it is marked', boolean({ hidden: true })),
    cached_repository_path: described('path of the copy of its repository', text({ nullable: true, hidden: true })),
  },
  representations: {
    reference: ['name', 'id', 'slug', 'url'],
    embedded: ['id', 'name', 'slug', 'parent_id'],
    minimal: ['id', 'name', 'slug'],
    /** Fields of a project that its project sessions embed (spec: answers 18). */
    in_session: { except: ['description', 'objectives', 'cursus', 'campus', 'videos', 'project_sessions'] },
    in_registration: { except: [], and: ['project_session_id'] },
  },
  index: {
    sort: { except: ['difficulty', 'description', 'objectives'] },
    defaultSort: ['position', '-id'],
    range: { except: ['objectives'] },
    customFilters: {
      description: whenColumn('description', text()),
      difficulty: whenColumn('difficulty', integer()),
    },
    search: { name: ['name', 'slug'], slug: ['slug'] },
  },
  parents: [
    under('cursus', { through: joins.projectsCursus }),
    under('campus', { through: joins.projectsCampus }),
    under('projects'),
    under('users', { through: joins.projectsUsers, me: true }),
    under('users', { by: openToRegister, as: 'projects_users/registration', representation: 'in_registration' }),
  ],
  searched: { access: role('42network'), representation: 'minimal' },
  payload: {
    links: {
      cursus_ids: joins.projectsCursus,
      campus_ids: joins.projectsCampus,
    },
    slugFrom: 'name',
  },
  dependents: {
    deleted: [
      'attachments.project_id',
      'project_sessions.project_id',
      'projects_campus.project_id',
      'projects_cursus.project_id',
    ],
    released: ['projects.parent_id'],
  },
  actions: {
    ...permit({ read: open, write: role('Advanced Staff') }),
    members: {
      retry: memberAction({
        access: either(
          role('Advanced Tutor'),
          role('Advanced Staff'),
          all(scope('projects'), own(through(joins.projectsUsers, 'users'))),
        ),
        description: 'begins another try of a user: a new team that the user leads',
        unwrapped: true,
        accepts: {
          user_id: optionalParameter('id of the user; the person of the token unless said', idKind),
          force: FORCE,
        },
        perform: retryOwnProject,
      }),
    },
  },
})
