import { Refusal } from '../../errors.ts'
import type { Params } from '../../http/params.ts'
import type { ActionRequest } from '../action-request.ts'
import { type Answer, pageUrls } from '../answer.ts'
import type { Machine } from '../machine.ts'
import type { Resource } from '../resource.ts'
import { answeredForm, type Route } from '../route-table.ts'
import { findId } from '../run.ts'
import { Gathering, type PlainRecord } from './json-api-document.ts'
import { type ReadDocument, readChange, readNew, readSeveral } from './json-api-payload.ts'
import { type JsonApiQuery, readJsonApiQuery } from './json-api-query.ts'
import type { Shape } from './json-api-shapes.ts'

/** What a request in JSON:API's form asks for, before anything is done. */
export type Conversation = {
  /** The request as the plain actions take it. */
  readonly request: ActionRequest
  /** Puts a refusal of theirs into the terms of the document that was sent. */
  refusal(error: unknown): unknown
  /** Puts their answer into the form of a document. */
  answer(plain: Answer): Answer
}

/** Takes a request in JSON:API's form. Throws what JSON:API asks for: 400, 403, 409. */
export async function converse(
  machine: Machine,
  route: Route,
  request: ActionRequest,
  isBody: boolean,
): Promise<Conversation> {
  const { resource, action } = route
  const form = answeredForm(route)
  const shape = form === undefined ? undefined : machine.shapes.of(resource, form)
  const isWrite = action === 'create' || action === 'bulk' || action === 'update'
  const payload = isWrite && !isBody ? [resource.singular, resource.name] : []
  const query = readJsonApiQuery(request.query as Params, machine.shapes, { action, shape, payload })
  const documents = isWrite && isBody ? readDocuments(machine, route, request.body) : undefined
  if (action === 'update' && documents?.[0]) await requireSameId(machine, resource, request, documents[0])
  return {
    request: {
      ...request,
      ...(documents ? { body: bodyOf(route, documents) } : {}),
      // An update changes `updated_at` beside what was sent, and such a change must be answered (Updating Resources).
      prefersRecord: true,
    },
    refusal: (error) => (documents ? pointing(error, route, documents) : error),
    answer: (plain) => answerOf(machine, route, request, shape, query, plain),
  }
}

function readDocuments({ shapes }: Machine, { action, resource }: Route, body: unknown): ReadDocument[] {
  if (action === 'bulk') return readSeveral(body, resource, shapes)
  return [action === 'create' ? readNew(body, resource, shapes) : readChange(body, resource, shapes)]
}

const bodyOf = ({ action, resource }: Route, documents: readonly ReadDocument[]) =>
  action === 'bulk'
    ? { [resource.name]: documents.map(({ payload }) => payload) }
    : { [resource.singular]: documents[0]?.payload }

async function requireSameId(
  machine: Machine,
  resource: Resource,
  { key }: ActionRequest,
  { id }: ReadDocument,
): Promise<void> {
  const inPath = key && ('id' in key ? key.id : await findId(machine.database, resource, key))
  // Where there is no such record, that is what is to be said.
  if (inPath === undefined || String(inPath) === id) return
  throw new Refusal(409, `The id in the document is ${JSON.stringify(id?.slice(0, 80))}, and ${inPath} in the path.`, {
    source: { pointer: '/data/id' },
  })
}

function pointing(error: unknown, { action, resource }: Route, documents: readonly ReadDocument[]): unknown {
  if (!(error instanceof Refusal) || !error.errors) return error
  const pointers: Record<string, string> = Object.create(null)
  for (const field of Object.keys(error.errors)) {
    const place = action === 'bulk' ? new RegExp(`^${resource.name}\\[(\\d+)\\]\\.?`).exec(field) : undefined
    const document = documents[Number(place?.[1] ?? 0)]
    // `cursus_users_attributes[0]` stands below the field of that name.
    const name = field.slice(place?.[0].length ?? 0)
    const [, outer = name, inner] = /^(\w+)\[(\d+)\]/.exec(name) ?? []
    const pointer = document?.pointers[outer]
    const isElement = inner !== undefined && Array.isArray(document?.payload[outer])
    pointers[field] =
      pointer === undefined ? (document?.pointers[''] ?? '/data') : pointer + (isElement ? `/${inner}` : '')
  }
  const { message, errors, headers } = error
  return new Refusal(error.status, message, { error: error.error, errors, headers, pointers })
}

function answerOf(
  machine: Machine,
  route: Route,
  request: ActionRequest,
  shape: Shape | undefined,
  query: JsonApiQuery,
  plain: Answer,
): Answer {
  if (plain.body === undefined) return plain
  const content: unknown = JSON.parse(plain.body)
  const self = addressOf(request)
  const document = shape
    ? documentOf(machine, shape, query, content, self, plain)
    : { links: { self }, meta: { [subjectOf(route)]: content } }
  const headers = { ...plain.headers }
  if (!request.prefersRecord) delete headers['preference-applied']
  if (route.action === 'index') {
    const { links, meta } = paging(request, plain)
    Object.assign(document.links, links)
    Object.assign(document, { meta })
  }
  return { ...plain, headers, type: 'jsonApi', body: JSON.stringify({ jsonapi: { version: '1.1' }, ...document }) }
}

function documentOf(
  machine: Machine,
  shape: Shape,
  { include, fields }: JsonApiQuery,
  content: unknown,
  self: string,
  { status }: Answer,
): { links: Record<string, string>; data: unknown; included?: unknown } {
  const gathering = new Gathering({ shapes: machine.shapes, baseUrl: machine.wire.baseUrl, fields })
  const isList = Array.isArray(content)
  const records = (isList ? content : [content]) as PlainRecord[]
  const { data, included } = gathering.gather(records, shape, include)
  return {
    // What a creation answers is found at the new record's address.
    links: { self: (status === 201 && !isList && data[0]?.links?.self) || self },
    data: isList ? data : data[0],
    // It is there, though empty, for whoever asked for it.
    ...(include.size > 0 ? { included } : {}),
  }
}

/** What an answer that is no record is about: the last fixed part of its path. */
const subjectOf = ({ action, note = '' }: Route) => (action === 'reading' ? (note.split('/').at(-1) as string) : action)

function addressOf({ url, rawQuery }: ActionRequest): string {
  const kept = rawQuery.split('&').filter((part) => part !== '' && !/^access_token(=|$)/i.test(part))
  return kept.length > 0 ? `${url}?${kept.join('&')}` : url
}

function paging({ url, rawQuery: query }: ActionRequest, { headers }: Answer) {
  const [page, perPage, total] = ['x-page', 'x-per-page', 'x-total'].map((name) => Number(headers[name]))
  const numbers = { page: page as number, perPage: perPage as number, total: total as number }
  return {
    links: pageUrls({ url, query, ...numbers }),
    meta: { total: numbers.total, page: numbers.page, per_page: numbers.perPage },
  }
}
