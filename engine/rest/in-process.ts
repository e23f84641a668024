import type { FastifyReply } from 'fastify'
import { defined } from '../base/defined.ts'
import { runForPerson } from '../database/turns.ts'
import { type Caller, personOf } from '../http/caller.ts'
import { parseParams } from '../http/params.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import type { StreamForm } from '../http/stream-types.ts'
import type { ActionRequest } from './action-request.ts'
import { answerKeyOf } from './cache/answer-key.ts'
import type { CachedAnswers } from './cache/cached-answers.ts'
import { countCreation } from './count-creation.ts'
import { decide, grantOf } from './declare/access.ts'
import { type EncodedAnswer, encodeAnswer } from './encoded-answer.ts'
import type { Engine } from './engine.ts'
import { type ListStreams, requireStreamAccess } from './export/list-streams.ts'
import { type Asked, readActionRequest } from './read-action-request.ts'
import type { Method, Route } from './route-table.ts'

export type Call = {
  readonly method: Method
  /** Path of the route, such as `/v2/shelves/:shelf_id/books`. */
  readonly path: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>
  readonly body?: unknown
  readonly headers?: Asked['headers']
}

type QueryValue = string | number | boolean

export function addressOfCall({ path, params = {}, query = {} }: Call): string {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(String(value))}`,
  )
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
}

export type AskInProcess = (caller: Caller, call: Call) => Promise<EncodedAnswer>

/** The API for pages of the same process: the same routes, rules and cached responses, without a token and its rate. */
export type ApiInProcess = {
  readonly ask: AskInProcess
  has(method: Method, path: string): boolean
  /** Reports whether the caller may use the route, at least for their own records. */
  may(caller: Caller, method: Method, path: string): boolean
  /** Reports whether the caller may use the route for all records. */
  mayAll(caller: Caller, method: Method, path: string): boolean
  sendList(reply: FastifyReply, caller: Caller, call: Call, form: StreamForm): Promise<FastifyReply>
}

type Dependencies = {
  readonly engine: Engine
  readonly answers: CachedAnswers | undefined
  readonly lists: ListStreams
  readonly limits: RateLimits
}

export function apiInProcess(table: readonly Route[], { engine, answers, lists, limits }: Dependencies): ApiInProcess {
  const routes = new Map(
    table.map((route) => [`${route.method} ${route.path}`, { route, keyOf: answers && answerKeyOf(engine, route) }]),
  )
  const find = ({ method, path }: Pick<Call, 'method' | 'path'>) => {
    const found = routes.get(`${method} ${path}`)
    if (!found) throw new Error(`the API has no ${method} ${path}`)
    return found
  }
  const grantFor = (caller: Caller, method: Method, path: string) => {
    const found = routes.get(`${method} ${path}`)
    return found && grantOf(found.route.access, caller)
  }
  return {
    has: (method, path) => routes.has(`${method} ${path}`),
    may: (caller, method, path) => grantFor(caller, method, path) !== undefined,
    mayAll(caller, method, path) {
      const grant = grantFor(caller, method, path)
      return grant !== undefined && grant.ownAssociation === undefined
    },
    async ask(caller, call) {
      const { route, keyOf } = find(call)
      const url = addressOfCall(call)
      await engine.database.changes.validate()
      await countCreation(limits, route, caller)
      const asked = askedOf(caller, call)
      const run = () => route.run(engine, readActionRequest(engine, route, asked), asked.params)
      return runForPerson(personOf(caller), async () =>
        keyOf && answers ? answers.answer(keyOf({ url, query: asked.query }, caller), run) : encodeAnswer(await run()),
      )
    },
    async sendList(reply, caller, call, form) {
      const { route } = find(call)
      decide(route.access, caller)
      requireStreamAccess(engine.registry.access, form, caller, { hasRate: false })
      const request: ActionRequest = readActionRequest(engine, route, askedOf(caller, call))
      return runForPerson(personOf(caller), () =>
        lists.send(reply, request, form, () => defined(route.listOf)(engine, request), { isForPeople: true }),
      )
    },
  }
}

function askedOf(caller: Caller, call: Call): Asked {
  const [path = '', rawQuery = ''] = addressOfCall(call).split('?', 2)
  const params = Object.fromEntries(Object.entries(call.params ?? {}).map(([name, value]) => [name, String(value)]))
  return { caller, path, params, rawQuery, query: parseParams(rawQuery), body: call.body, headers: call.headers ?? {} }
}
