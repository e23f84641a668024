import type { Caller } from '../http/caller.ts'
import { parseParams } from '../http/params.ts'
import { answerKeyOf } from './cache/answer-key.ts'
import type { CachedAnswers } from './cache/cached-answers.ts'
import { decide } from './declare/access.ts'
import { type EncodedAnswer, encodeAnswer } from './encoded-answer.ts'
import type { Engine } from './engine.ts'
import { readActionRequest } from './read-action-request.ts'
import type { Method, Route } from './route-table.ts'

/** A call of the API that comes from this process itself. */
export type Call = {
  readonly method: Method
  /** As the route has it, such as `/v2/campus/:campus_id/locations`. */
  readonly path: string
  /** What stands in the places of the path. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

/** Path and query of a call, as it would be sent. */
export function addressOfCall({ path, params = {}, query = {} }: Call): string {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
}

/** Answers a call as the API would answer this caller, or throws its refusal. */
export type AskInProcess = (caller: Caller, call: Call) => Promise<EncodedAnswer>

type Dependencies = { readonly engine: Engine; readonly answers: CachedAnswers | undefined }

/**
 * The API for pages of the same process: the same routes, rules, statements and cached answers as over the
 * wire, without a token and its rate.
 */
export function askInProcess(table: readonly Route[], { engine, answers }: Dependencies): AskInProcess {
  const routes = new Map(
    table.map((route) => [`${route.method} ${route.path}`, { route, keyOf: answers && answerKeyOf(engine, route) }]),
  )
  return async (caller, call) => {
    const found = routes.get(`${call.method} ${call.path}`)
    if (!found) throw new Error(`the API has no ${call.method} ${call.path}`)
    const { route, keyOf } = found
    const url = addressOfCall(call)
    const [path = '', rawQuery = ''] = url.split('?', 2)
    const query = parseParams(rawQuery)
    const params = Object.fromEntries(Object.entries(call.params ?? {}).map(([name, value]) => [name, String(value)]))
    await engine.database.changes.validate()
    decide(route.access, caller)
    const run = () => {
      const asked = { caller, path, params, rawQuery, query, body: call.body, headers: {} }
      return route.run(engine, readActionRequest(engine, route, asked), params)
    }
    return keyOf && answers ? answers.answer(keyOf({ url, query }, caller), run) : encodeAnswer(await run())
  }
}
