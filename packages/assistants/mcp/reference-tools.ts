import { verbatim } from '@campus/engine/base/languages/say'
import { isOneOf } from '@campus/engine/base/narrow'
import { malformed, notFound } from '@campus/engine/errors'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { Guides } from '@campus/intranet/server/part'
import { readNumber, readTexts, requireChoice, requireText } from './arguments.ts'
import { ASPECTS, type Aspect, describeResource } from './describe.ts'
import { bytesOf, fittingCount, MAX_BYTES } from './fit.ts'
import type { Places } from './places.ts'
import { inputSchema, type Tool } from './tool.ts'

const MAX_QUESTION = 100
const MAX_OFFSET = 10_000_000
/** Characters of a page. Most take one byte. */
const PAGE_CHARACTERS = 16_000

export const referenceTools = (
  registry: Registry,
  places: Places,
  guides: (() => Promise<Guides>) | undefined,
): readonly Tool[] => [...(guides ? [searchReference(guides), readReference(guides)] : []), describe(registry, places)]

const searchReference = (guides: () => Promise<Guides>): Tool => ({
  name: 'search_reference',
  title: 'Search the reference',
  description:
    'Finds endpoints, fields, parts of guides, errors and webhook events that have every word. Begin here when you do not know which resource holds something.',
  inputSchema: inputSchema(
    { query: { type: 'string', maxLength: MAX_QUESTION, description: 'A few words.' } },
    'query',
  ),
  async call(given) {
    const found = (await guides()).find(requireText(given, 'query', MAX_QUESTION))
    const findings = found.map(({ href, ...finding }) => ({ ...finding, page: href.replace(/#.*$/, '') }))
    const shown = findings.slice(0, fittingCount(findings))
    const notes =
      findings.length === 0
        ? ['Nothing has all of these words: ask with fewer or other ones, or list a resource of describe_resource.']
        : ['read_reference shows a page; describe_resource shows a resource.']
    return { data: { findings: shown }, notes }
  },
})

const readReference = (guides: () => Promise<Guides>): Tool => ({
  name: 'read_reference',
  title: 'Read a page of the reference',
  description:
    'Shows a page of the reference of this service as Markdown: the page of a resource with examples, a guide, or the errors. Nothing else is read, and no address is fetched.',
  inputSchema: inputSchema(
    {
      page: { type: 'string', description: 'Such as /apidoc for the contents, /apidoc/users or /apidoc/errors.' },
      from: { type: 'integer', minimum: 0, default: 0, description: 'The first character, where an answer was cut.' },
    },
    'page',
  ),
  async call(given) {
    const page = requireText(given, 'page').replace(/(#.*|\.md)$/, '')
    const from = readNumber(given, 'from', 0, MAX_OFFSET) ?? 0
    const text = (await guides()).markdown(`${page}.md`)
    if (text === undefined)
      throw notFound(
        verbatim(`The reference has no page ${JSON.stringify(page.slice(0, 80))}; /apidoc has the contents.`),
      )
    const shown = text.slice(from, from + PAGE_CHARACTERS).toWellFormed()
    const end = from + shown.length
    const notes = end < text.length ? [`The page has ${text.length} characters: go on with from ${end}.`] : []
    return { data: { page, text: shown }, notes }
  },
})

function describe(registry: Registry, places: Places): Tool {
  const resources = registry.resources.map(({ name }) => name).filter((name) => places.of(name).length > 0)
  return {
    name: 'describe_resource',
    title: 'Describe a resource',
    description:
      'Says what a resource is: its fields, where it is listed, what it is filtered, ranged, searched, sorted and graphed by, what may be written, its actions, and who may do each.',
    inputSchema: inputSchema(
      {
        resource: { type: 'string', enum: resources },
        aspects: { type: 'array', items: { type: 'string', enum: ASPECTS }, description: 'All of them unless named.' },
      },
      'resource',
    ),
    async call(given) {
      const resource = requireChoice(given, 'resource', resources)
      const aspects = readTexts(given, 'aspects')?.map(aspectOf) ?? ASPECTS
      const data = describeResource(registry, places, resource, aspects)
      if (bytesOf(data) <= MAX_BYTES) return { data }
      const members = Object.entries(data)
      const shown = Object.fromEntries(members.slice(0, fittingCount(members)))
      const left = members.map(([name]) => name).filter((name) => !Object.hasOwn(shown, name))
      return { data: shown, notes: [`Left out: ${left.join(', ')}. Ask for fewer aspects at a time.`] }
    },
  }
}

function aspectOf(name: string): Aspect {
  if (!isOneOf(ASPECTS, name)) throw malformed(verbatim(`The argument aspects must be of ${ASPECTS.join(', ')}`))
  return name
}
