import { KNOWN_ERRORS } from './errors/known-errors.ts'
import type { Guide } from './guides.ts'
import type { Operation, Reference } from './model.ts'
import { propertiesOf } from './schemas.ts'

export type Finding = {
  readonly href: string
  readonly kind: 'endpoint' | 'field' | 'guide' | 'error' | 'event'
  /** Method of an endpoint. */
  readonly method?: string
  readonly title: string
  readonly about: string
}

type Scored = Finding & { readonly score: number }

/** The texts of an entry. Matches in `words` score most, then in `name`, then in `text`. */
type Entry = {
  readonly finding: Finding
  readonly words: readonly string[]
  readonly name: string
  readonly text: string
}

const MAX_FINDINGS = 40
const MAX_OF_A_KIND = 12

/** Searches endpoints, fields, sections of guides, errors and webhook events for all words of a text. */
export function searcher(reference: Reference, guides: readonly Guide[]): (text: string) => Finding[] {
  const entries = [...fieldEntries(reference), ...guideEntries(guides), ...errorEntries(), ...eventEntries(reference)]
  return (text) => {
    const words = wordsOf(text)
    if (words.length === 0) return []
    const others = best(
      entries.map((entry) => ({ ...entry.finding, score: scoreOfEntry(entry, words) })),
      Number.POSITIVE_INFINITY,
    )
    const kinds = (['field', 'guide', 'error', 'event'] as const).flatMap((kind) =>
      others.filter((one) => one.kind === kind).slice(0, MAX_OF_A_KIND),
    )
    return best([...endpoints(reference, words), ...kinds], MAX_FINDINGS).map(({ score: _, ...finding }) => finding)
  }
}

const STOP_WORDS = new Set(
  'a an the is are was be do does did i you we my me who whom whose what which where when how many can could of to in on at for with and or by from get find see all there'.split(
    ' ',
  ),
)

/** Returns the words of a text without stop words, unless it has stop words only. */
function wordsOf(text: string): readonly string[] {
  const all = text
    .toLowerCase()
    .replace(/[?!.,]+(?=\s|$)/g, '')
    .split(/\s+/)
    .filter(Boolean)
  const content = all.filter((word) => !STOP_WORDS.has(word))
  return (content.length > 0 ? content : all).slice(0, 8)
}

const best = (found: readonly Scored[], limit: number): Scored[] =>
  found
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)

function endpoints({ resources }: Reference, words: readonly string[]): Scored[] {
  return resources.flatMap(({ name: resource, summary, actions }) =>
    actions.flatMap(({ anchor, operations }) =>
      best(
        operations.map((operation) => ({
          href: `/apidoc/${resource}#${anchor}`,
          kind: 'endpoint' as const,
          method: operation.method,
          title: operation.path,
          about: operation.summary,
          score: scoreOf(resource, summary, operation, words),
        })),
        3,
      ),
    ),
  )
}

/** Returns 0 if a word is not found. */
function scoreOf(
  resource: string,
  about: string,
  { method, path, summary, id, parameters }: Operation,
  words: readonly string[],
): number {
  const segments = path.toLowerCase().split('/')
  const name = `${method} ${summary} ${id} ${resource}`.toLowerCase()
  const rest = parameters.map((one) => one.name.toLowerCase())
  let sum = 0
  for (const word of words) {
    if (resource === word) sum += 60
    else if (segments.at(-1) === word) sum += 40
    else if (segments.includes(word) || path.toLowerCase() === word) sum += 30
    else if (name.split(' ').includes(word)) sum += 30
    else if (path.toLowerCase().includes(word)) sum += 15
    else if (name.includes(word)) sum += 10
    else if (rest.some((one) => one.includes(word))) sum += 2
    else if (about.toLowerCase().includes(word)) sum += 2
    else return 0
  }
  // A shorter path is more likely.
  return sum - path.length / 1000
}

/** Returns 0 if a word is not found. */
function scoreOfEntry({ words: names, name, text }: Entry, words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    if (names.includes(word)) sum += 24
    else if (name.includes(word)) sum += 8
    else if (text.includes(word)) sum += 1
    else return 0
  }
  return sum - name.length / 1000
}

const entryOf = (finding: Finding, name: string, text: string): Entry => ({
  finding,
  name: name.toLowerCase(),
  words: name.toLowerCase().split(/[^\p{L}\p{N}_?]+/u),
  text: text.toLowerCase(),
})

function fieldEntries({ resources }: Reference): Entry[] {
  return resources.flatMap(({ name: resource, records }) =>
    records.slice(0, 1).flatMap(({ anchor, schema }) =>
      propertiesOf(schema).map(({ name, schema: property }) => {
        const about = String(property.description ?? '')
        const href = `/apidoc/${resource}#${anchor}-${name}`
        return entryOf({ href, kind: 'field', title: `${resource}.${name}`, about }, `${resource} ${name}`, about)
      }),
    ),
  )
}

function guideEntries(guides: readonly Guide[]): Entry[] {
  return guides.flatMap((guide) =>
    guide.sections.map(({ anchor, title, text }) => {
      const href = `/apidoc/guides/${guide.name}${anchor ? `#${anchor}` : ''}`
      const about = title === guide.title ? '' : guide.title
      return entryOf({ href, kind: 'guide', title, about }, `${title} ${about}`, text)
    }),
  )
}

const errorEntries = (): Entry[] =>
  KNOWN_ERRORS.map(({ anchor, status, error, meaning, remedy }) =>
    entryOf(
      { href: `/apidoc/errors#${anchor}`, kind: 'error', title: `${status} ${error}`, about: meaning },
      `${status} ${error}`,
      `${meaning} ${remedy}`,
    ),
  )

const eventEntries = ({ resources }: Reference): Entry[] =>
  resources.flatMap(({ name: resource, webhook }) =>
    Object.entries(webhook?.events ?? {}).map(([event, about]) => {
      const title = `${webhook?.model} ${event}`
      return entryOf({ href: `/apidoc/${resource}#webhooks`, kind: 'event', title, about }, `webhook ${title}`, about)
    }),
  )
