import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'

/** Everything that the pages show, in the order in which they show it. */
export type Reference = {
  readonly resources: readonly ReferenceResource[]
  /** The same by what they are about. */
  readonly subjects: readonly { readonly title: string; readonly resources: readonly ReferenceResource[] }[]
  /** Where the fields of a schema of the document are shown. */
  anchorOf(schema: string): { readonly resource: string; readonly anchor: string } | undefined
  /** The part of the document behind a `$ref`, or the part itself. */
  resolve(part: JsonSchema): JsonSchema
}

/** A page of the reference: a resource of records, or what the service offers beside them. */
export type ReferenceResource = {
  readonly name: string
  readonly summary: string
  readonly actions: readonly Action[]
  readonly records: readonly RecordRepresentation[]
  readonly webhook: WebhookModel | undefined
}

/** What applications are sent of a resource's records. */
export type WebhookModel = {
  readonly model: string
  /** Name → one sentence on what has happened. */
  readonly events: Readonly<Record<string, string>>
  readonly schema: JsonSchema
}

/** What may be done, with every path at which it may be done. */
export type Action = {
  /** Unique within the page. */
  readonly anchor: string
  readonly title: string
  readonly operations: readonly [Operation, ...Operation[]]
}

/** One method and path. */
export type Operation = {
  readonly id: string
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly access: string
  readonly needsToken: boolean
  readonly parameters: readonly Parameter[]
  /** The body that it takes as JSON. */
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
  /** Of the JSON that it carries, where it carries any. */
  readonly schema: JsonSchema | undefined
}

/** One of the shapes in which a record is shown. */
export type RecordRepresentation = {
  readonly representation: string
  readonly anchor: string
  readonly schema: JsonSchema
}
