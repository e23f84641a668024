import type { Reader } from '../../database/database.ts'
import type { ActionRequest } from '../action-request.ts'
import { type Answer, type Dependencies, okay } from '../answer.ts'
import type { Engine } from '../engine.ts'
import { type RequestContext, requestContext } from '../request-context.ts'

export type Reading = {
  readonly context: RequestContext
  /** Returns 200. A stale response says so and is not cached. */
  okay(body: string, headers?: Readonly<Record<string, string>>, dependsOn?: Dependencies): Answer
}

/** Picks a replica that has replayed all known changes to what the read depends on, or else the primary. */
export function readingOf(
  engine: Engine,
  { caller, mayBeStale }: Pick<ActionRequest, 'caller' | 'mayBeStale'>,
  dependsOn: Dependencies | undefined,
): Reading {
  const { database } = engine
  const reader: Reader =
    (mayBeStale ? database.replicas?.staleReader() : database.replicas?.reader(dependsOn?.names)) ?? database
  const context = requestContext(engine, caller, reader)
  const { age } = reader
  if (age === undefined)
    return { context, okay: (body, headers, narrower = dependsOn) => okay(body, headers, narrower) }
  const stale = staleHeaders(age)
  return { context: { ...context, isStale: true }, okay: (body, headers) => okay(body, { ...headers, ...stale }) }
}

/** Headers of a response of this age in milliseconds (RFC 7240; RFC 9111, 5.1). */
export const staleHeaders = (age: number): Record<string, string> => ({
  'preference-applied': 'stale-ok',
  age: String(Math.ceil(age / 1000)),
})
