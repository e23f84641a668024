import { verbatim } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { suggesting } from '@campus/engine/base/text/nearest'
import { malformed } from '@campus/engine/errors'
import type { Route } from '@campus/engine/rest/route-table'
import { type Arguments, readText, readTexts, readValues } from './arguments.ts'

/** Properties that select records. describe_resource lists the names that they accept. */
export const SELECTION = {
  filter: {
    type: 'object',
    additionalProperties: true,
    description: 'Field → value or list of values, such as {"campus_id": 1}; null stands for those without one.',
  },
  range: {
    type: 'object',
    additionalProperties: true,
    description: 'Field → [least, greatest], such as {"created_at": ["2026-01-01", "2026-02-01"]}; either may be "".',
  },
  search: {
    anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
    description: 'Words that a record must hold; or field → words.',
  },
  parameters: {
    type: 'object',
    additionalProperties: true,
    description: 'What else describe_resource lists as parameters of the list.',
  },
}

type Pair = readonly [name: string, value: string]
type Query = Readonly<Record<string, string>>

/** Reads the query that selects records. The API refuses unknown fields. */
export function readSelection(given: Arguments, route: Route): Query {
  return Object.fromEntries([
    ...bracketed(given, 'filter'),
    ...bracketed(given, 'range'),
    ...searched(given),
    ...readParameters(given, route),
  ])
}

export function readSort(given: Arguments): Query {
  const sort = readTexts(given, 'sort')
  return sort === undefined ? {} : { sort: sort.join(',') }
}

/** Reads the parameters that only this route has. */
export function readParameters(given: Arguments, { parameters = {} }: Route): readonly Pair[] {
  const values = readValues(given, 'parameters')
  for (const [name] of values) {
    if (Object.hasOwn(parameters, name)) continue
    const text = `There is no parameter ${JSON.stringify(name.slice(0, 60))} there`
    throw malformed(suggesting(verbatim(text), name, Object.keys(parameters)))
  }
  return values
}

const bracketed = (given: Arguments, kind: 'filter' | 'range' | 'search'): readonly Pair[] =>
  readValues(given, kind).map(([name, value]) => [`${kind}[${encodeURIComponent(name)}]`, value])

function searched(given: Arguments): readonly Pair[] {
  if (isRecord(given.search)) return bracketed(given, 'search')
  const words = readText(given, 'search')
  return words === undefined ? [] : [['search', words]]
}
