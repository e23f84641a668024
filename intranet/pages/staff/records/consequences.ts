import type { Resource } from '@campus/engine/rest/declare/declaration'
import { words } from '@campus/engine/rest/openapi/names'
import { type Html, html, say } from '../../html.ts'

type Operation = 'create' | 'update' | 'destroy'

export function consequences({ name, calls, dependents }: Resource, operation: Operation): Html | '' {
  const { deleted = [], released = [] } = operation === 'destroy' ? (dependents ?? {}) : {}
  const tables = (all: readonly string[]) => [...new Set(all.map((one) => words(one.split('.')[0] ?? '')))].join(', ')
  const events = Object.entries(calls?.on ?? {}).flatMap(([event, cause]) => (isCause(cause, operation) ? [event] : []))
  const lines = [
    ...(events.length > 0
      ? [say('call the webservices of the person’s campuses ({events})', { events: events.join(', ') })]
      : []),
    say('send webhooks to applications that subscribe to {records}, and show the change in streams', {
      records: words(name),
    }),
    ...(deleted.length > 0 ? [say('delete records that belong to it: {tables}', { tables: tables(deleted) })] : []),
    ...(released.length > 0 ? [say('remove references to it from: {tables}', { tables: tables(released) })] : []),
    say('record in the audit log who did it'),
  ]
  return html`<p>${say('This will also:')}</p><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>${operation === 'destroy' ? html`<p>${say('A record that other records need is not deleted. The response names them.')}</p>` : ''}`
}

type Cause = NonNullable<NonNullable<Resource['calls']>['on'][keyof NonNullable<Resource['calls']>['on']]>

/** A call may follow from an operation, or from an update of some columns. */
const isCause = ({ changes = [], columns = [] }: Cause, operation: Operation): boolean =>
  changes.includes(operation) || (operation === 'update' && (columns.length > 0 || changes.length === 0))
