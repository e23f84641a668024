import type { Slices } from '../../base/slices.ts'
import type { CommonAccess } from '../declare/access.ts'
import type { Registry } from '../declare/registry.ts'
import type { Route } from '../route-table.ts'
import { Components, type OpenapiDocument, type Paths, type Tag, type TagGroup } from './document.ts'
import { refusal } from './errors.ts'
import { operationOf } from './operation.ts'
import { serviceOperations } from './service.ts'

/** A part of the document without a resource, such as the OAuth endpoints. */
export type Neighbour = (components: Components) => {
  readonly tags?: readonly Tag[]
  readonly paths?: Paths
  readonly webhooks?: Paths
}

export type ApiInfo = {
  readonly title: string
  readonly summary: string
  readonly version: string
  readonly license?: { readonly name: string; readonly identifier: string }
}

type DocumentOptions = {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly info: ApiInfo
  readonly more?: readonly Neighbour[]
  readonly subjects?: readonly TagGroup[]
}

export function* openapiDocument(
  registry: Registry,
  table: readonly Route[],
  { baseUrl, info: { title, version, summary, license }, more = [], subjects = [] }: DocumentOptions,
): Slices<OpenapiDocument> {
  const components = new Components(registry)
  const neighbours = [...more, serviceOperations].map((neighbour: Neighbour) => neighbour(components))
  const paths = yield* pathsOf(components, table)
  refusal(components, 405)
  const tags = [...neighbours.flatMap((neighbour) => neighbour.tags ?? []), ...tagsOf(registry, table)]
  return {
    openapi: '3.1.0',
    info: { title, version, summary, description: descriptionOf(registry.access), license },
    servers: [{ url: baseUrl }],
    tags,
    'x-tagGroups': groupsOf(subjects, tags),
    paths: Object.assign({}, ...neighbours.map((neighbour) => neighbour.paths), paths),
    webhooks: Object.assign({}, ...neighbours.map((neighbour) => neighbour.webhooks)),
    components: components.sections,
  }
}

function* pathsOf(components: Components, table: readonly Route[]): Slices<Paths> {
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {}
  for (const route of table) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const item = paths[path] ?? {}
    paths[path] = item
    item[route.method.toLowerCase()] = operationOf(components, route)
    yield
  }
  return paths
}

function tagsOf({ resources }: Registry, table: readonly Route[]): Tag[] {
  const routed = new Set(table.map(({ resource }) => resource.name))
  return resources.filter(({ name }) => routed.has(name)).map(({ name, summary }) => ({ name, description: summary }))
}

/** Leaves out resources without paths. */
const groupsOf = (subjects: readonly TagGroup[], tags: readonly Tag[]): TagGroup[] =>
  subjects.map(({ name, tags: names }) => ({ name, tags: names.filter((one) => tags.some((tag) => tag.name === one)) }))

const descriptionOf = ({ scopes, wholeLists }: CommonAccess): string =>
  `
Every address is reached over HTTPS only, with an access token from \`POST /oauth/token\`: in the header
\`Authorization: Bearer <token>\`, or as the parameter \`access_token\`. A token needs one of the scopes ${scopes.join(', ')}. A token without any of
them, such as one for \`openid\` alone, is refused with 403 and \`insufficient_scope\` everywhere except under \`/oauth\`.

**Lists** come in pages of 30 records, or of up to 100 with \`per_page\`. The header \`Link\` names the neighbouring pages and
\`X-Total\` counts the records of all of them; a page beyond the last is an empty list. \`sort\`, \`filter[field]\`, \`range[field]\`
and \`search[field]\` take the fields that each list names. Values are separated by commas; different filters must all hold. A value that contains a
comma is sent as an element of a list: \`filter[field][]=value\`.

**Whole lists** come as one stream of NDJSON with \`Accept: application/x-ndjson\`, and of CSV with \`text/csv\` to applications with the role
${wholeLists.role}: the same selection and order, without pages. Without this role a list costs one request of the hour for each 1,000 records.

**Changes** of any list and any record come as Server-Sent Events with \`Accept: text/event-stream\`: first \`page\` with the ids of the page, then
\`create\`, \`update\` and \`destroy\` with the record, for all that the list has. \`Last-Event-ID\` resumes; \`reset\` says that the list is to be read again.

**Payloads** are wrapped in the name of the record, and come as JSON, as a form with brackets in the names
(\`record[field]=value\`), as multipart, or in the query string with an empty body. Numbers and booleans may be written as
texts, a blank text is null, and a field that is not accepted is refused by name. Fields that records
show and only the service writes, such as \`id\` and \`updated_at\`, are ignored, so that a record may be sent back as it was read.

**Records** always have all of their fields, null where there is nothing to say. Times are in UTC with milliseconds.

**JSON:API** 1.1 is the other representation of all this: documents instead of records, with \`include\`, \`fields[type]\`,
paging links and error objects. Send \`Content-Type: application/vnd.api+json\`, or ask for it by \`Accept\`.

**Refusals** are JSON with \`error\` and \`message\`, and a \`Link\` of the relation \`help\` to where more is told; a path that exists with another method answers 405 and names the methods
in \`Allow\`. Every application has a rate per second and per hour, counted in the headers of every response; beyond it the
answer is 429, with \`Retry-After\`.
`.trim()
