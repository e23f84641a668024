/** What is read of a schema of the OpenAPI document (JSON Schema 2020-12). */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

export type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }

type Reference<T> = T | { readonly $ref: string }

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Reference<Parameter>[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Reference<Content>>>
}

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Content>>
  }
}

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1)

/** What a reference stands for, of the components of this kind. */
export function resolved<T extends object>(part: Reference<T>, components: Readonly<Record<string, T>>): T {
  return '$ref' in part ? (components[nameOf(part.$ref as string)] as T) : part
}

/** The schema of a JSON body; undefined where there is none. */
export const jsonOf = (part: Content | undefined): Schema | undefined => part?.content?.['application/json']?.schema
