import { readFileSync } from 'node:fs'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import type { Route } from '@campus/engine/rest/route-table'

export const CALLERS = ['none', 'public', 'other', 'own', 'tutor', 'staff'] as const
export type CallerName = (typeof CALLERS)[number]

/** `401`, `403`, `404`, `ok`, or the scope with which it is allowed. */
type Cell = string

/** One line of the table: what each caller gets from an action of a resource. */
export type Line = {
  /** For messages: `closes create,update`. */
  readonly title: string
  readonly resource: string
  readonly actions: readonly string[]
  readonly cells: Readonly<Record<CallerName, Cell>>
  /** Each opens it by itself, but for the scope. */
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** People have it for records of their own. */
  readonly isForOwners: boolean
}

export const ACCESS_FILE = new URL('../fixtures/access.txt', import.meta.url)

/** The committed table. */
export function readAccessTable(): Line[] {
  const lines = readFileSync(ACCESS_FILE, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(readLine)
}

function readLine(text: string): Line {
  const [resource = '', actions = '', ...rest] = text.split(/\s+/)
  const cells = Object.fromEntries(CALLERS.map((name, place) => [name, rest[place]])) as Record<CallerName, Cell>
  const openers = rest.slice(CALLERS.length).join(' ').split(', ')
  return {
    title: `${resource} ${actions}`,
    resource,
    actions: actions.split(','),
    cells,
    roles: openers.filter((word) => word !== '-' && word !== 'own'),
    scopes: [...new Set(Object.values(cells).filter(isScope))],
    isForOwners: openers.includes('own'),
  }
}

export const isScope = (cell: Cell) => !['401', '403', '404', 'ok'].includes(cell)

/** Returns the action of a route as the table names it. */
export function actionOf({ resource, action, path, note }: Route): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  switch (action) {
    case 'index':
      return resource.views?.some((view) => view.path === path) ? last : 'read'
    case 'graph':
      return resource.actions !== embeddedOnly && resource.actions.graph ? 'graph' : 'read'
    case 'show':
    case 'owner':
      return 'read'
    case 'bulk':
      return last
    case 'member':
    case 'query':
      return note ?? last
    default:
      return action
  }
}
