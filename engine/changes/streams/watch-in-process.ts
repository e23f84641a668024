import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { parseParams } from '../../http/params.ts'
import { decide } from '../../rest/declare/access.ts'
import type { Engine } from '../../rest/engine.ts'
import { readActionRequest } from '../../rest/read-action-request.ts'
import type { Route } from '../../rest/route-table.ts'
import { isWatchable } from '../../rest/watched.ts'
import type { StreamHolder, WatchRequest } from './streams.ts'

export type PageWatch = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  readonly holder: StreamHolder
  /** Path and query, such as `/v2/shelves/1/books?filter[lent]=true`. */
  readonly address: string
}

export type WatchInProcess = (watch: PageWatch) => Promise<FastifyReply>

export function watchInProcess(
  table: readonly Route[],
  engine: Engine,
  open: (watch: WatchRequest) => Promise<FastifyReply>,
): WatchInProcess {
  const routes = table
    .filter((route) => route.method === 'GET' && isWatchable(route))
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`) }))
  return async ({ caller, address, ...watch }) => {
    const [path = '', rawQuery = ''] = address.split(/\?(.*)/s)
    const found = routes.find(({ pattern }) => pattern.test(path))
    if (!found) throw notFound('There is no such list.')
    const { route, pattern } = found
    decide(route.access, caller)
    const asked = readActionRequest(engine, route, {
      caller,
      path,
      rawQuery,
      body: undefined,
      headers: {},
      params: { ...pattern.exec(path)?.groups },
      query: parseParams(rawQuery),
    })
    return open({ ...watch, route, asked })
  }
}
