import type { Caller } from '../http/caller.ts'
import { addressOfCall, type Call } from '../rest/in-process.ts'
import type { PersonPageContext } from './page-context.ts'
import { callerOf } from './session-caller.ts'

/** A call of the API as it would be sent, its answer with the ETag, and of a list the number of all records. */
export type ApiAnswer<T> = {
  readonly address: string
  readonly value: T
  readonly total: number
  readonly etag: string | undefined
}

type Where = Pick<Call, 'params' | 'query'>

/** Reads from the API as the person of the page. Throws its refusals. */
export async function ask<T>(context: PersonPageContext, path: string, where: Where = {}): Promise<ApiAnswer<T>> {
  return callApi(context, callerOf(context), { method: 'GET', path, ...where })
}

/** Calls the API as this caller. Throws its refusals. */
export async function callApi<T>(
  context: Pick<PersonPageContext, 'dependencies'>,
  caller: Caller,
  call: Call,
): Promise<ApiAnswer<T>> {
  const { bytes, headers, etag } = await context.dependencies.api.ask(caller, call)
  const value: T = bytes === undefined ? undefined : JSON.parse(String(bytes))
  return { address: addressOfCall(call), value, total: Number(headers['x-total'] ?? 1), etag }
}

/** Writes through the API as the person of the page. Throws its refusals. */
export async function send(
  context: PersonPageContext,
  call: Call & { readonly method: 'POST' | 'PATCH' | 'DELETE' },
): Promise<void> {
  await context.dependencies.api.ask(callerOf(context), call)
}
