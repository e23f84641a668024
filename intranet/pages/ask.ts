import type { Caller } from '@campus/engine/http/caller'
import { addressOfCall, type Call } from '@campus/engine/rest/in-process'
import type { Answer as AnswerOf, Init, Method, PathsWith, Rest } from '../../clients/typescript/src/types.ts'
import { callerOf } from './actor.ts'
import type { PersonPageContext } from './page-context.ts'

export type ApiAnswer<T> = {
  readonly address: string
  readonly value: T
  readonly total: number
  readonly etag: string | undefined
}

/** Paths of the OpenAPI document. */
type Path<M extends Method> = Extract<PathsWith<M>, `/v2/${string}`>

/** Response body of a route, typed by the OpenAPI document. */
export type Answer<P extends Path<'get'>> = AnswerOf<P, 'get'>

export type Item<P extends Path<'get'>> = Answer<P> extends readonly (infer I)[] ? I : never

type Where<P extends Path<M>, M extends Method> = {
  readonly [K in keyof Init<P, M> as K & ('path' | 'query' | 'body')]: K extends 'path'
    ? { readonly [N in keyof Init<P, M>[K]]: string | number }
    : K extends 'body'
      ? Written<Init<P, M>[K]>
      : Init<P, M>[K]
}

export type Change<P extends Path<'patch'>> = Where<P, 'patch'> extends { readonly body: infer B } ? B : never

/** Values of a body. Forms send text, which the API parses. */
type Written<T> = T extends object ? { readonly [K in keyof T]: Written<T[K]> } : T | string

/** Reads from the API as the person of the page. Throws the API's errors. */
export const ask = <P extends Path<'get'>>(
  context: PersonPageContext,
  path: P,
  ...where: Rest<Where<P, 'get'>>
): Promise<ApiAnswer<Answer<P>>> => askAs(context, callerOf(context), path, ...where)

/** Reads from the API as `caller`. Throws the API's errors. */
export const askAs = <P extends Path<'get'>>(
  context: Pick<PersonPageContext, 'dependencies'>,
  caller: Caller,
  path: P,
  ...[where]: Rest<Where<P, 'get'>>
): Promise<ApiAnswer<Answer<P>>> => callApi(context, caller, callOf('GET', path, where))

export async function callApi<T>(
  context: Pick<PersonPageContext, 'dependencies'>,
  caller: Caller,
  call: Call,
): Promise<ApiAnswer<T>> {
  const { bytes, headers, etag } = await context.dependencies.api.ask(caller, call)
  const value: T = bytes === undefined ? undefined : JSON.parse(String(bytes))
  return { address: addressOfCall(call), value, total: Number(headers['x-total'] ?? 1), etag }
}

export async function send<M extends 'POST' | 'PATCH' | 'DELETE', P extends Path<Lowercase<M>>>(
  context: PersonPageContext,
  method: M,
  path: P,
  ...[where]: Rest<Where<P, Lowercase<M>>>
): Promise<void> {
  await context.dependencies.api.ask(callerOf(context), callOf(method, path, where))
}

type AnyWhere = { readonly path?: Call['params']; readonly query?: Call['query']; readonly body?: unknown }

/** Builds the call of a route. Converts `/v2/users/{id}` to `/v2/users/:id`. */
const callOf = (method: Call['method'], path: string, { path: params, query, body }: AnyWhere = {}): Call => ({
  method,
  path: path.replace(/\{(\w+)\}/g, ':$1'),
  params,
  query,
  body,
})
