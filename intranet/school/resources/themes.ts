import { open, permit } from '@campus/engine/rest/declare/access'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { resource } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

export const themes = resource({
  name: 'themes',
  summary: 'What an event is about.',
  cachedInMemory: true,
  fields: { created_at: time(), id: integer(), name: text({ max: 255, required: true }), updated_at: time() },
  index: { defaultSort: ['name', '-id'] },
  actions: permit({ read: open, write: role('Advanced Staff') }),
})

export const eventsThemes = resource({
  name: 'events_themes',
  summary: 'An event is about a theme.',
  fields: { id: integer(), event_id: reference('events', { required: true }), theme_id: reference('themes') },
  payload: {
    pointed: { theme_attributes: { resource: 'themes', by: 'theme_id' } },
  },
  actions: embeddedOnly,
})
