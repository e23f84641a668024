import { either, open, permit } from '@campus/engine/rest/declare/access'
import { integer, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { when } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { column, now, sql } from '@campus/engine/rest/declare/sql'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const hiddenOptional = { nullable: true, hidden: true } as const

const expiry = column('expire_at')

export const announcements = resource({
  name: 'announcements',
  summary: 'What the school tells everybody, or those of some campuses and cursus.',
  fields: {
    id: integer(),
    author: described('its author, as a text', text({ max: 255, required: true })),
    title: described('heading that it is shown under', text({ max: 255, required: true })),
    text: described('what there is to tell', text({ column: 'body', required: true })),
    kind: described('what sort of news it is, such as `global`', text({ max: 255 })),
    link: described('address to read on at; null where there is none', text({ max: 2048, nullable: true })),
    ...timestamps(),
    expire_at: described('when it is no longer news', time({ required: true })),
    image: described('address of a picture; null where there is none', text({ max: 2048, ...hiddenOptional })),
    begin_at: described('`created_at`, as old clients call it', time({ column: 'created_at', hidden: true })),
    notificable_id: described('id of what it is about; never filled', integer(hiddenOptional)),
    notificable_type: described('sort of what it is about; never filled', text(hiddenOptional)),
  },
  index: {
    // Clients ask for `sort=begin_at` only (spec: forum 13).
    filter: { except: ['begin_at'] },
    range: { except: ['begin_at'] },
    defaultSort: ['-expire_at', '-id'],
    customFilters: {
      expire: described('whose `expire_at` has come', when(sql`(${expiry} is not null and ${expiry} <= ${now})`)),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'expire_at'], default: 'created_at' },
  parents: [under('cursus', { through: joins.announcementsCursus, actions: ['index', 'create'] })],
  payload: {
    accepts: { except: ['begin_at', 'notificable_id', 'notificable_type'] },
    links: { cursus_ids: joins.announcementsCursus, campus_ids: joins.announcementsCampus },
  },
  dependents: { deleted: ['announcements_campus.announcement_id', 'announcements_cursus.announcement_id'] },
  actions: permit({ read: open, write: either(role('Community manager'), role('Advanced Staff')) }),
})
