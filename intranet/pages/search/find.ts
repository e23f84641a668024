import { eventsByName, projectsByName } from '../../school/domain/school/find-by-name.ts'
import { ask } from '../ask.ts'
import { facePath } from '../avatar.ts'
import { say } from '../html.ts'
import { entriesOf, GROUPS } from '../navigation.ts'
import type { PersonPageContext } from '../page-context.ts'
import { hasReference } from '../reference-link.ts'
import { pathOfPerson } from '../school/parts.ts'
import { nameQuery } from '../school/people.ts'
import { labelOf, pathOf, routedResources } from '../staff/records/resource.ts'
import { dayOf, shortDay } from '../times.ts'

export type Found = {
  readonly group: string
  readonly label: string
  readonly path: string
  readonly more?: string
  readonly image?: string
}

const SHOWN = 6
const MAX_LETTERS = 100

const spelled = new Intl.Collator('en', { sensitivity: 'base', usage: 'search' })

export async function find(context: PersonPageContext, asked: string): Promise<readonly Found[]> {
  const text = asked.trim().slice(0, MAX_LETTERS)
  if (text === '') return pagesWith(context, '')
  return [
    ...(await peopleWith(context, text)),
    ...(await projectsWith(context, text)),
    ...(await eventsWith(context, text)),
    ...pagesWith(context, text),
    ...recordsWith(context, text),
    ...(hasReference() ? referenceWith(context, text) : []),
  ]
}

async function peopleWith(context: PersonPageContext, text: string): Promise<readonly Found[]> {
  const query = { ...nameQuery(text), sort: 'login', per_page: SHOWN } as const
  const { value } = await ask(context, '/v2/users', { query })
  return value.map((one) => ({
    group: say('People'),
    label: one.displayname,
    path: pathOfPerson(one.login),
    more: one.location ? `${one.login} · ${one.location}` : one.login,
    image: facePath(one, 'micro'),
  }))
}

async function projectsWith({ dependencies }: PersonPageContext, text: string): Promise<readonly Found[]> {
  const found = await projectsByName(dependencies.database, text, SHOWN)
  return found.map(({ id, name }) => ({ group: say('Projects'), label: name, path: `/projects/${id}` }))
}

async function eventsWith(context: PersonPageContext, text: string): Promise<readonly Found[]> {
  const { database, clock } = context.dependencies
  const found = await eventsByName(database, text, clock.now(), SHOWN)
  return found.map(({ id, name, begin_at }) => ({
    group: say('Events'),
    label: name,
    path: `/events/${id}`,
    more: shortDay(dayOf(context, begin_at)),
  }))
}

const pagesWith = ({ person }: PersonPageContext, text: string): readonly Found[] =>
  GROUPS.flatMap((group) => entriesOf(group, person))
    .map((entry) => ({ group: say('Pages'), label: entry.label(), path: entry.path, more: entry.about() }))
    .filter(({ label, more }) => has(label, text) || has(more, text))

const recordsWith = ({ person, dependencies }: PersonPageContext, text: string): readonly Found[] =>
  person.isStaff
    ? routedResources(dependencies.registry)
        .map((one) => ({ group: say('Records'), label: labelOf(one), path: pathOf(one) }))
        .filter(({ label }) => has(label, text))
        .toSorted((one, other) => one.label.length - other.label.length)
        .slice(0, SHOWN)
    : []

const referenceWith = ({ dependencies }: PersonPageContext, text: string): readonly Found[] => [
  ...routedResources(dependencies.registry)
    .filter(({ name }) => has(name, text))
    .toSorted((one, other) => one.name.length - other.name.length)
    .slice(0, SHOWN)
    .map(({ name, summary }) => ({ group: say('API reference'), label: name, path: `/apidoc/${name}`, more: summary })),
  {
    group: say('API reference'),
    label: say('Search the reference for “{text}”', { text }),
    path: `/apidoc/search?q=${encodeURIComponent(text)}`,
  },
]

/** Reports whether a text contains another one, ignoring case and accents. */
function has(text: string, asked: string): boolean {
  const letters = text.length - asked.length
  for (let at = 0; at <= letters; at += 1)
    if (spelled.compare(text.slice(at, at + asked.length), asked) === 0) return true
  return false
}
