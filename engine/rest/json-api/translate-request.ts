import { defined } from '../../base/defined.ts'
import { type Message, message } from '../../base/languages/say.ts'
import { HttpError } from '../../errors.ts'
import { type ActionRequest, narrowing } from '../action-request.ts'
import { type Answer, addressOf, okay, pageUrls } from '../answer.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { payloadNames } from '../parameters.ts'
import { restrictionOf } from '../read/actions.ts'
import { findId } from '../read/find.ts'
import { runRecords } from '../read/run.ts'
import { requestContext } from '../request-context.ts'
import { answeredRepresentation, answersPage, type Route } from '../route-table.ts'
import { TAKEN_ID } from '../write/chosen-ids.ts'
import { DocumentBuilder, type PlainRecord } from './document.ts'
import { placeOf, type ReadDocument, readDocuments } from './payload.ts'
import { type JsonApiQuery, readJsonApiQuery } from './query.ts'
import { legalNames, type Shape, type Shapes } from './shapes.ts'

/** Maximum number of records in a response. */
const MAX_RECORDS = 2_000

export type TranslatedRequest = {
  readonly request: ActionRequest
  refusal(error: unknown): unknown
  answer(plain: Answer): Promise<Answer>
}

/** Translates a JSON:API request. Throws 400, 403 and 409. */
export async function translateRequest(
  engine: Engine,
  shapes: Shapes,
  route: Route,
  request: ActionRequest,
  isBody: boolean,
): Promise<TranslatedRequest> {
  const { resource, action, parameters } = route
  const representation = answeredRepresentation(route)
  const shape = representation === undefined ? undefined : shapes.of(resource, representation)
  const isWrite = action === 'create' || action === 'bulk' || action === 'update'
  const payload = isWrite && isBody ? [] : payloadNames(route)
  const addressed = { action, parameters, shape, payload, caller: request.caller }
  const query = readJsonApiQuery(request.query, shapes, addressed)
  const documents = isWrite && isBody ? readDocuments(request.body, route, shapes, request.caller) : undefined
  if (action === 'update' && documents?.[0]) await requireSameId(engine, resource, request, documents[0])
  return {
    request: {
      ...request,
      ...(documents ? { body: bodyOf(route, documents) } : {}),
      // An update also changes `updated_at`, so it must return the record (Updating Resources).
      prefersRecord: true,
      representationsOf: (record, id) => documentsOf({ engine, shapes, route, request }, record, id),
    },
    refusal: (error) => (documents ? pointing(error, route, documents) : error),
    answer: async (plain) => answerOf({ engine, shapes, route, request, shape, query }, plain),
  }
}

type Written = Omit<Translation, 'shape' | 'query'>

/** Returns the documents of `GET` at the request's address and at that with the id, which differ in their links. */
async function documentsOf(written: Written, record: string, id: number): Promise<readonly string[]> {
  const { engine, route, request } = written
  const { action, note, resource } = route
  const address = action === 'member' ? request.url.slice(0, -`/${note}`.length) : request.url
  const addresses = new Set([address, `${engine.wire.baseUrl}/v2/${resource.name}/${id}`])
  return Promise.all([...addresses].map((url) => documentAt(url, written, record)))
}

async function documentAt(url: string, { engine, shapes, route, request }: Written, record: string): Promise<string> {
  const { resource } = route
  const { body } = await answerOf(
    {
      engine,
      shapes,
      route: { ...route, action: 'show' },
      request: { ...request, url, rawQuery: '' },
      shape: shapes.of(resource, resource.answers?.show ?? 'record'),
      query: { include: new Map(), fields: new Map() },
    },
    okay(record),
  )
  return defined(body)
}

const bodyOf = ({ action, resource }: Route, documents: readonly ReadDocument[]) =>
  action === 'bulk'
    ? { [resource.name]: documents.map(({ payload }) => payload) }
    : { [resource.singular]: documents[0]?.payload }

async function requireSameId(engine: Engine, resource: Resource, { key }: ActionRequest, { id }: ReadDocument) {
  const inPath = key && ('id' in key ? key.id : await findId(engine.database, resource, key))
  // A missing record is 404, not a conflict.
  if (inPath === undefined || String(inPath) === id) return
  throw new HttpError(
    409,
    message('The id in the document is {id}, and {inPath} in the path.', {
      id: JSON.stringify(id?.slice(0, 80)),
      inPath,
    }),
    { source: { pointer: '/data/id' } },
  )
}

function pointing(error: unknown, { action, resource }: Route, documents: readonly ReadDocument[]): unknown {
  if (!(error instanceof HttpError) || !error.errors) return error
  const errors: Record<string, readonly Message[]> = Object.create(null)
  const pointers: Record<string, string> = Object.create(null)
  for (const [field, texts] of Object.entries(error.errors)) {
    const [prefix = '', place = '0'] = (action === 'bulk' && /^\w+\[(\d+)\]\.?/.exec(field)) || []
    const { name, pointer } = placeOf(field.slice(prefix.length), documents[Number(place)], resource)
    errors[prefix + name] = texts
    pointers[prefix + name] = pointer
  }
  // A taken id is 409 (Client-Generated IDs).
  if (action === 'create' && error.errors.id?.includes(TAKEN_ID))
    return new HttpError(409, error.text, { errors, pointers })
  return new HttpError(error.status, error.text, { error: error.error, errors, headers: error.headers, pointers })
}

type Translation = {
  readonly engine: Engine
  readonly shapes: Shapes
  readonly route: Route
  readonly request: ActionRequest
  /** Shape of the returned records, if any. */
  readonly shape: Shape | undefined
  readonly query: JsonApiQuery
}

function answerOf(translation: Translation, plain: Answer): Promise<Answer> | Answer {
  if (plain.body === undefined) return plain
  const { shape, route, request } = translation
  const content: unknown = JSON.parse(plain.body)
  const self = addressOf(request.url, request.rawQuery)
  if (shape) return recordsAnswer(translation, shape, plain, content, self)
  return jsonApi(plain, { links: { self }, meta: { [subjectOf(route)]: legalNames(content) } })
}

async function recordsAnswer(
  { engine, shapes, route, request, query: { include, fields } }: Translation,
  shape: Shape,
  plain: Answer,
  content: unknown,
  self: string,
): Promise<Answer> {
  const { action } = route
  const isList = Array.isArray(content)
  const isPage = answersPage(route)
  const isRead = isPage || action === 'show' || action === 'owner'
  const gathering = new DocumentBuilder({
    shapes,
    baseUrl: engine.wire.baseUrl,
    fields,
    // Records of a write are always returned, since they are written.
    most: isRead ? MAX_RECORDS : Number.POSITIVE_INFINITY,
    load: (resource, representation, ids) => loadRecords(engine, request, resource, representation, ids),
  })
  const { data, included } = await gathering.gather(isList ? content : [content], shape, include)
  const { links, meta } = isPage ? paging(request, plain) : {}
  const { 'preference-applied': applied, ...headers } = plain.headers
  const isApplied = applied !== undefined && request.prefersRecord
  return jsonApi(
    { ...plain, headers: isApplied ? plain.headers : headers },
    {
      // A created record links to its own address.
      links: { self: (action === 'create' && data[0]?.links?.self) || self, ...links },
      data: isList ? data : data[0],
      // `included` is present even if it is empty.
      ...(include.size > 0 ? { included } : {}),
      ...(meta ? { meta } : {}),
    },
  )
}

const jsonApi = (plain: Answer, document: object): Answer => ({
  ...plain,
  type: 'jsonApi',
  body: JSON.stringify({ jsonapi: { version: '1.1' }, ...document }),
})

/** Returns records as their own pages show them or, in another representation, their list. */
async function loadRecords(
  engine: Engine,
  request: ActionRequest,
  resource: Resource,
  representation: string,
  ids: readonly string[],
): Promise<PlainRecord[]> {
  const isPage = representation === (resource.answers?.show ?? 'record')
  const { hidden } = isPage ? restrictionOf(resource, request) : { hidden: [] }
  const conditions = [...narrowing(resource, { ...request, parents: [] }), ...hidden]
  const texts = await runRecords(
    requestContext(engine, request.caller),
    resource,
    representation,
    ids.map(Number),
    conditions,
  )
  return texts.map((text) => JSON.parse(text))
}

const subjectOf = ({ action, note = '' }: Route) => (action === 'query' ? defined(note.split('/').at(-1)) : action)

function paging({ url, rawQuery: query }: ActionRequest, { headers }: Answer) {
  const [page, perPage, total] = ['x-page', 'x-per-page', 'x-total'].map((name) => Number(headers[name]))
  const numbers = { page: defined(page), perPage: defined(perPage), total: defined(total) }
  return {
    links: pageUrls({ url, query, ...numbers }),
    meta: { total: numbers.total, page: numbers.page, per_page: numbers.perPage },
  }
}
