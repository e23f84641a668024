import { openToRegister } from '../domain/registration.ts'
import { open, role } from '../rest/declare/access.ts'
import { boolean, integer, reference, slug, text, time } from '../rest/declare/fields/columns.ts'
import { url } from '../rest/declare/fields/computed.ts'
import { fromJoinTable, many, one } from '../rest/declare/fields/embeds.ts'
import { always } from '../rest/declare/fields/group.ts'
import { whenColumn } from '../rest/declare/filters.ts'
import { resource, through, under } from '../rest/declare/resource.ts'

const staff = { access: role('Advanced Staff') }

/** What a project session carries of its project (wire-facts A4). */
const IN_SESSION = [
  'id',
  'name',
  'slug',
  'difficulty',
  'parent',
  'children',
  'attachments',
  'created_at',
  'updated_at',
  'exam',
  'git_id',
  'repository',
] as const

const RECORD = [...IN_SESSION, 'cursus', 'campus', 'videos', 'project_sessions'] as const

export const projects = resource({
  name: 'projects',
  singular: 'project',
  summary: 'A piece of work that users do, alone or in teams, and that others evaluate.',
  identifiedBy: 'slug',
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    slug: slug(),
    difficulty: integer({ min: 0, nullable: true }),
    parent: one('projects', 'reference', { by: 'parent_id', nullable: true }),
    children: many('projects', 'reference', { foreignKey: 'parent_id' }),
    attachments: many('attachments', 'embedded', { foreignKey: 'project_id' }),
    created_at: time(),
    updated_at: time(),
    exam: boolean(),
    git_id: integer({ min: 0, nullable: true }),
    repository: text({ nullable: true }),
    cursus: many('cursus', 'embedded', {
      through: { table: 'projects_cursus', otherKey: 'cursus_id' },
      foreignKey: 'project_id',
    }),
    campus: many('campus', 'embedded', {
      through: { table: 'projects_campus', otherKey: 'campus_id' },
      foreignKey: 'project_id',
    }),
    videos: always([]),
    project_sessions: many('project_sessions', 'in_project', { foreignKey: 'project_id' }),
    project_session_id: fromJoinTable(reference('project_sessions')),
    url: url('/v2/projects/:slug', { hidden: true }),
    description: text({ nullable: true, hidden: true }),
    visible: boolean({ hidden: true }),
    parent_id: reference('projects', { nullable: true, hidden: true }),
    inherited_team: boolean({ hidden: true }),
    position: integer({ min: 0, hidden: true }),
    has_git: boolean({ hidden: true }),
    has_mark: boolean({ hidden: true }),
    cached_repository_path: text({ nullable: true, hidden: true }),
  },
  representations: {
    reference: ['name', 'id', 'slug', 'url'],
    embedded: ['id', 'name', 'slug', 'parent_id'],
    in_session: IN_SESSION,
    in_registration: [...RECORD, 'project_session_id'],
  },
  index: {
    sort: [
      'id',
      'name',
      'created_at',
      'updated_at',
      'visible',
      'exam',
      'parent_id',
      'slug',
      'inherited_team',
      'position',
      'has_git',
      'has_mark',
      'repository',
      'git_id',
      'cached_repository_path',
    ],
    defaultSort: ['position', '-id'],
    scopes: {
      description: whenColumn('description', text()),
      difficulty: whenColumn('difficulty', integer()),
    },
  },
  parents: [
    under('cursus', through('projects_cursus', 'project_id', 'cursus_id')),
    under('campus', through('projects_campus', 'project_id', 'campus_id')),
    under('projects', 'parent_id'),
    under('users', openToRegister, { as: 'projects_users/registration', representation: 'in_registration' }),
  ],
  payload: {
    accepts: [
      'name',
      'slug',
      'difficulty',
      'description',
      'parent_id',
      'exam',
      'visible',
      'position',
      'inherited_team',
      'has_git',
      'has_mark',
      'git_id',
      'repository',
      'cached_repository_path',
    ],
    requires: ['name'],
    links: {
      cursus_ids: { table: 'projects_cursus', foreignKey: 'project_id', otherKey: 'cursus_id' },
      campus_ids: { table: 'projects_campus', foreignKey: 'project_id', otherKey: 'campus_id' },
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
  actions: { index: open, show: open, create: staff, update: staff, destroy: staff },
})
