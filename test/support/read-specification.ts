/**
 * The endpoints that the specification lists, as method-and-path pairs. Run by itself it writes them to the fixture:
 * `node test/support/read-specification.ts <api.md>`.
 */
import { readFileSync, writeFileSync } from 'node:fs'

export const FIXTURE = new URL('../fixtures/endpoints.json', import.meta.url)

/** One line of the fixture: `GET /v2/campus/:campus_id/locations`. */
export type Pair = `${string} ${string}`

const METHODS = /\b(GET|POST|PATCH|PUT|DELETE)\b/g
const PATH = /\/(?:v2|oauth)(?:\/[:<\w>]+)+/g
const GRAPH_FORMS = ['', '/on/:field', '/on/:field/by/:interval']

/** Every pair of the document's list of endpoints, in its order; the forms of a graph are pairs of their own. */
export function readSpecification(document: string): Pair[] {
  const [, section = ''] = /^## Endpoints$(.*?)^## /ms.exec(document) ?? []
  const lines = section.split('\n').filter((line) => /^- |^\| [A-Z]/.test(line))
  return [...new Set(lines.flatMap(pairsOf))]
}

function pairsOf(line: string): Pair[] {
  const named = line.match(METHODS) ?? []
  const methods = named.length === 0 && line.startsWith('- graph:') ? ['GET'] : named
  // `/graph(/on/:field(/by/:interval))`: the optional segments are no path of their own.
  const paths = line.replaceAll('(/on/:field(/by/:interval))', '').match(PATH) ?? []
  return paths
    .flatMap((path) => expand(path, line))
    .flatMap((path) => methods.map((method): Pair => `${method} ${path}`))
}

function expand(path: string, line: string): string[] {
  if (path.endsWith('/graph')) return GRAPH_FORMS.map((form) => path + form)
  if (!path.includes('<parent>')) return [path]
  const [, list = ''] = / for parent in (.*)$/.exec(line) ?? []
  return list.split(', ').map((parent) => path.replaceAll('<parent>', parent))
}

if (import.meta.main) {
  const [source] = process.argv.slice(2)
  if (!source) throw new Error('name the document')
  const pairs = readSpecification(readFileSync(source, 'utf8'))
  writeFileSync(FIXTURE, `${JSON.stringify(pairs, null, 2)}\n`)
  process.stdout.write(`${pairs.length} pairs\n`)
}
