/** Shapes that many operations of the generated schema share. */

/**
 * An operation: the parameters of its path, query and headers, its body, and its answers by status. A part that does not exist
 * is `never`. An optional body includes `undefined`.
 */
export type Operation<Path, Query, Headers, Body, Responses> = {
  parameters: { path: Path; query?: Query; header?: Headers }
  requestBody: Json<Body>
  responses: Responses
}

type Json<T> = { content: { 'application/json': T } }

export type Answered<T> = { 200: Json<T> }
export type Created<T> = { 201: Json<T> }
/** The record if the request has `Prefer: return=representation`, else nothing. */
export type Changed<T> = { 200: Json<T>; 204: { content?: never } }
export type Done = { 204: { content?: never } }

/** The `ETag` that the client has already. If it is still the latest, the response is 304. */
export type IfNoneMatch = { 'If-None-Match'?: string }

/** The `ETag` of the record that the client read. If the record has changed since, the response is 412. */
export type IfMatch = { 'If-Match'?: string }

/** A word of the client's own: the same request with the same one is answered again, and not done again. */
export type IdempotencyKey = { 'Idempotency-Key'?: string }

/** `return=representation` asks for the record as it is afterwards. */
export type Prefer = { Prefer?: 'return=representation' | 'return=minimal' }

/** `filter[field]`: only records whose field is one of these values. */
export type Filters<Fields> = { [F in keyof Fields & string as `filter[${F}]`]?: Fields[F][] }

/** `range[field]`: only records whose field lies between both values. */
export type Ranges<Fields> = { [F in keyof Fields & string as `range[${F}]`]?: Fields[F][] }

export type Sorted<Field extends string> = {
  /** Fields to sort by, the first one first; descending with a minus sign. */
  sort?: (Field | `-${Field}`)[]
}

export type Paged = {
  /** The number of the page, if `page[number]` is absent. */
  page?: number
  /** The number of the page. */
  'page[number]'?: number
  /** Records per page, 100 at most. `page[size]` takes precedence. */
  per_page?: number
  /** Records per page, 100 at most. */
  'page[size]'?: number
}

/** JSON:API only. */
export type Compound = {
  /** Relationships whose records are included, with dots for nested ones. */
  include?: string[]
  /** `fields[type]=name,name` leaves the other fields of a type out. */
  fields?: { [type: string]: string }
}
