import type { Resource } from '../../../rest/declare/declaration.ts'
import { words } from '../../../rest/openapi/names.ts'
import { type Html, html } from '../../html.ts'
import { say } from '../../say.ts'

type Operation = 'create' | 'update' | 'destroy'

/** What else happens where such a record is written, as its declaration says, before it is done. */
export function consequences({ name, calls, dependents }: Resource, operation: Operation): Html | '' {
  const { deleted = [], released = [] } = operation === 'destroy' ? (dependents ?? {}) : {}
  const tables = (all: readonly string[]) => [...new Set(all.map((one) => words(one.split('.')[0] ?? '')))].join(', ')
  const events = Object.entries(calls?.on ?? {}).flatMap(([event, cause]) => (isCause(cause, operation) ? [event] : []))
  const lines = [
    ...(events.length > 0
      ? [say('The webservices of the person’s campuses are called ({events}).', { events: events.join(', ') })]
      : []),
    say('Applications that subscribe to {records} get a webhook, and streams show the change.', {
      records: words(name),
    }),
    ...(deleted.length > 0 ? [say('Deleted along with it: {tables}.', { tables: tables(deleted) })] : []),
    ...(released.length > 0
      ? [say('These stay and refer to nothing afterwards: {tables}.', { tables: tables(released) })]
      : []),
    ...(operation === 'destroy' ? [say('A record that others need is not deleted: the answer says by which.')] : []),
    say('The audit log records who did it.'),
  ]
  return html`<p>${say('What else happens:')}</p><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

type Cause = NonNullable<NonNullable<Resource['calls']>['on'][keyof NonNullable<Resource['calls']>['on']]>

/** A call may follow from an operation, or from an update of some columns. */
const isCause = ({ changes = [], columns = [] }: Cause, operation: Operation): boolean =>
  changes.includes(operation) || (operation === 'update' && (columns.length > 0 || changes.length === 0))
