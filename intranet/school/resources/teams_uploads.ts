import { all, open, permit } from '@campus/engine/rest/declare/access'
import { integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role, scope } from './access.ts'
import { mark } from './numbers.ts'

export const teamsUploads = resource({
  name: 'teams_uploads',
  summary: 'What an upload says of the work of a team.',
  large: true,
  fields: {
    id: integer(),
    final_mark: described('mark that the program gave; null until it did', mark({ nullable: true })),
    comment: described('what the program says of the work', text({ nullable: true })),
    created_at: time(),
    upload_id: reference('uploads', { required: true }),
    upload: one('uploads', 'whole'),
    team_id: reference('teams', { hidden: true, required: true }),
    updated_at: time({ hidden: true }),
  },
  representations: { embedded: ['id', 'final_mark', 'comment', 'created_at', 'upload_id'] },
  index: { defaultSort: ['id'] },
  parents: [under('teams', { actions: ['index', 'create'] })],
  actions: {
    ...permit({ read: open, write: role('Advanced Tutor') }),
    bulk: { name: 'multiple_create', access: all(role('Advanced Tutor'), scope('projects')) },
  },
})
