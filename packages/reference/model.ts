import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'

/** The content of all pages. */
export type Reference = {
  readonly resources: readonly ReferenceResource[]
  readonly subjects: readonly { readonly title: string; readonly resources: readonly ReferenceResource[] }[]
  /** Returns the place where the fields of a schema of the document are shown. */
  anchorOf(schema: string): { readonly resource: string; readonly anchor: string } | undefined
  /** Returns the part of the document behind a `$ref`, or the part itself. */
  resolve(part: JsonSchema): JsonSchema
}

/** A page of the reference: a resource of records, or another tag of the document. */
export type ReferenceResource = {
  readonly name: string
  readonly summary: string
  readonly actions: readonly Action[]
  readonly records: readonly RecordRepresentation[]
  readonly webhook: WebhookModel | undefined
}

export type WebhookModel = {
  readonly model: string
  /** Descriptions by name. */
  readonly events: Readonly<Record<string, string>>
  readonly schema: JsonSchema
}

/** An action with all of its methods and paths. */
export type Action = {
  readonly anchor: string
  readonly title: string
  readonly operations: readonly [Operation, ...Operation[]]
}

/** One method and path. */
export type Operation = {
  readonly id: string
  readonly method: string
  /** Path with `{name}` for parameters. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly access: string
  readonly needsToken: boolean
  readonly parameters: readonly Parameter[]
  readonly payload: JsonSchema | undefined
  readonly answers: readonly ResponseOf[]
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly isRequired: boolean
  readonly schema: JsonSchema
}

export type ResponseOf = {
  readonly status: number
  readonly description: string
  readonly schema: JsonSchema | undefined
}

export type RecordRepresentation = {
  readonly representation: string
  readonly anchor: string
  readonly schema: JsonSchema
}
