import type { RetryOptions } from './retries.ts'
import type { paths } from './schema.ts'

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** The paths that have this method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { readonly [K in M]: object } ? P : never
}[keyof paths]

type Operation<P extends keyof paths, M extends Method> = paths[P] extends { readonly [K in M]: infer O } ? O : never

type Part<T, K extends string> = T extends { readonly [N in K]?: infer V } ? NonNullable<V> : never

type Content<T> = T extends { readonly content: { readonly 'application/json': infer C } } ? C : undefined

/** A value, several of them, or an empty text: null in a filter, an open end in a range. */
type Asked<V> = V extends readonly (infer Item)[] ? Item | '' | readonly (Item | '')[] : V

type Query<Q> = { readonly [K in keyof Q]: Asked<NonNullable<Q[K]>> | undefined }

type Present<K extends string, V> = [V] extends [never] ? unknown : { readonly [N in K]: V }
type Possible<K extends string, V> = [V] extends [never] ? unknown : { readonly [N in K]?: V }

/** Options of one request. They take precedence over the options of the client. */
export type CallOptions = RetryOptions & {
  /** Ends the request at once, wherever it is: in line, on the way, between attempts or while its answer is read. */
  readonly signal?: AbortSignal | undefined
  /** Whether a read may be answered with what is up to 5 seconds old, as from a replica. */
  readonly staleOk?: boolean | undefined
  /** Writes only if the record still has this ETag (`etagOf`). Otherwise throws a PreconditionFailedError. */
  readonly ifMatch?: string | undefined
}

/** Parameters and options of a request beside its path. */
export type Init<P extends keyof paths, M extends Method> = Present<
  'path',
  Part<Part<Operation<P, M>, 'parameters'>, 'path'>
> &
  Possible<'query', Query<Part<Part<Operation<P, M>, 'parameters'>, 'query'>>> &
  Possible<'headers', Part<Part<Operation<P, M>, 'parameters'>, 'header'>> &
  WithBody<Content<Part<Operation<P, M>, 'requestBody'>>> &
  CallOptions

type WithBody<B> = undefined extends B ? Possible<'body', NonNullable<B>> : Present<'body', B>

/** Last arguments of a method, which may be left out if nothing is required. */
export type Rest<T> = Record<never, never> extends T ? [init?: T] : [init: T]

type Success = 200 | 201 | 204

/** The body of the answer, or undefined if there is none. */
export type Answer<P extends keyof paths, M extends Method> =
  Part<Operation<P, M>, 'responses'> extends infer R
    ? { [S in keyof R & Success]: Content<R[S]> }[keyof R & Success]
    : never

/** The paths that list records. */
export type ListPath = {
  [P in PathsWith<'get'>]: Answer<P, 'get'> extends readonly unknown[] ? P : never
}[PathsWith<'get'>]

/** One record of a list. */
export type Item<P extends ListPath> = Answer<P, 'get'> extends readonly (infer I)[] ? I : never

type RecordOf<A> = A extends readonly (infer I)[] ? I : A

/** The paths that can be watched: those of lists and of records. */
export type WatchPath = {
  [P in PathsWith<'get'>]: RecordOf<Answer<P, 'get'>> extends { readonly id: number } ? P : never
}[PathsWith<'get'>]

/** The record that a watched path shows. */
export type WatchedRecord<P extends WatchPath> = RecordOf<Answer<P, 'get'>>

/** Options of a watch: those of a request, and the position after which to continue. */
export type WatchInit<P extends WatchPath> = Init<P, 'get'> & { readonly after?: string | undefined }
