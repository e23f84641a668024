import { className } from './names.ts'
import { type Action, writeOperations } from './operations.ts'
import { type Document, jsonOf, type Operation, type Parameter, resolved } from './schema.ts'
import { TypeWriter } from './type-writer.ts'

const HEADING = '# Made from the OpenAPI document by "npm run generate -- python"; changes here are lost.\n'

const TYPES_HEADING = `${HEADING}"""What the API answers and takes: records, payloads and queries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal, NotRequired, Required, TypedDict, TypeVar, Union

T = TypeVar("T")

Id = Union[int, str]
"""A number, or where the API knows one the login or slug."""
Time = Union[datetime, date]
Asked = Union[T, Literal[""], Sequence[Union[T, Literal[""]]]]
"""A value or several; an empty text stands for null in a filter, and for an open end in a range."""
`

/** Parameters that the client takes care of, or that are of JSON:API, which it does not speak. */
const LEFT_OUT = ['include', 'fields', 'page[number]', 'page[size]']
const METHODS = ['get', 'post', 'patch', 'put', 'delete']

/** Both generated files of the Python client, for an OpenAPI document. */
export function pythonOf(document: Document): { readonly types: string; readonly operations: string } {
  const writer = new TypeWriter(document.components.schemas)
  const actions = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation && isOffered(path, operation) ? [actionOf(document, writer, { method, path, operation })] : []
    }),
  )
  const operations = writeOperations(actions)
  return { types: `${TYPES_HEADING}\n\n${writer.classes.join('\n\n\n')}\n`, operations: HEADING + operations }
}

/** PUT does the same as PATCH; tokens are the client's own affair. */
const isOffered = (path: string, { operationId }: Operation): boolean =>
  path.startsWith('/v2') && !operationId.endsWith('ByPut')

type Place = { readonly method: string; readonly path: string; readonly operation: Operation }

function actionOf({ components }: Document, writer: TypeWriter, { method, path, operation }: Place): Action {
  const name = className(operation.operationId)
  const parameters = (operation.parameters ?? []).map((one) => resolved<Parameter>(one, components.parameters))
  const of = (place: string) => parameters.filter((one) => one.in === place)
  const query = of('query').filter((one) => !LEFT_OUT.includes(one.name))
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, one]) => [status, jsonOf(resolved(one, components.responses))] as const)
  // A change is answered with the record only where it is asked for.
  const answer = answers.some(([status]) => status === '204') ? undefined : answers[0]?.[1]
  const body = jsonOf(operation.requestBody)
  const isListed = method === 'get' && answer?.type === 'array' && query.some((one) => one.name === 'page')
  const shown = isListed ? (answer.items ?? {}) : answer
  return {
    ...{ operation, method, path, isListed },
    names: of('path').map((one) => one.name),
    query: writer.queryOf(query, `${name}Query`),
    body: body && writer.typeOf(body, `${name}Body`),
    isBodyRequired: operation.requestBody?.required ?? false,
    answer: shown && writer.typeOf(shown, `${name}Answer`),
    isQueryRequired: query.some((one) => one.required),
  }
}
