import { docstring, methodName, quoted } from './names.ts'
import type { Operation } from './schema.ts'

/** One method of the client. Types are written as Python, and undefined where there is nothing. */
export type Action = {
  readonly operation: Operation
  readonly method: string
  readonly path: string
  /** Names of the path's parameters, in their order. */
  readonly names: readonly string[]
  readonly query: string | undefined
  readonly isQueryRequired: boolean
  readonly body: string | undefined
  readonly isBodyRequired: boolean
  /** Type of the answer, or of each record of a paged list. */
  readonly answer: string | undefined
  readonly isListed: boolean
}

const HEADING = `"""One method for each action of the API, named as the OpenAPI document names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .calls import AsyncCalls

if TYPE_CHECKING:
    from .. import types as t
    from .listing import AsyncListing


class AsyncOperations(AsyncCalls):
`

/** The class that has them all, as text. */
export const writeOperations = (actions: readonly Action[]): string =>
  `${HEADING}${actions.map(methodOf).join('\n\n')}\n`

function methodOf(action: Action): string {
  const { operation, method, path, names, body, query, answer, isListed } = action
  const given = [
    'self',
    ...names.map((name) => `${name}: t.Id`),
    ...(names.length > 0 ? ['/'] : []),
    ...(body || query ? ['*'] : []),
    ...(body ? [optional(`body: ${ofTypes(body)}`, action.isBodyRequired)] : []),
    ...(query ? [optional(`query: t.${query}`, action.isQueryRequired)] : []),
  ]
  const type = answer === undefined ? 'None' : isListed ? `AsyncListing[${ofTypes(answer)}]` : ofTypes(answer)
  const about = [operation.summary, operation.description].filter(Boolean).map((text) => `${text}`.replace(/\.?$/, '.'))
  const place = names.length > 0 ? [`{${names.map((name) => `${quoted(name)}: ${name}`).join(', ')}}`] : []
  const sent = [
    ...(isListed ? [] : [quoted(method.toUpperCase())]),
    quoted(path),
    ...place,
    ...(body ? ['body=body'] : []),
    ...(query ? ['query=query'] : []),
  ]
  return [
    `    ${isListed ? '' : 'async '}def ${methodName(operation.operationId)}(`,
    ...given.map((one) => `        ${one},`),
    `    ) -> ${type}:`,
    `        ${docstring(about.join(' '))}`,
    ...(answer === undefined
      ? [`        await self._call(${sent.join(', ')})`]
      : [
          `        answer: ${type} = ${isListed ? 'self._list' : 'await self._call'}(${sent.join(', ')})`,
          '        return answer',
        ]),
  ].join('\n')
}

const optional = (parameter: string, isRequired: boolean): string =>
  isRequired ? parameter : `${parameter} | None = None`

/** Python's own words, and texts. */
const OF_PYTHON = /^("|None$|Any$|Literal$)/

/** Classes stand in another module. */
const ofTypes = (type: string): string =>
  type.replace(/"[^"]*"|\b[A-Z]\w*/g, (word) => (OF_PYTHON.test(word) ? word : `t.${word}`))
