/** The used parts of a schema of the OpenAPI document (JSON Schema 2020-12). */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly maxProperties?: number
  readonly additionalProperties?: boolean | Schema
}

const SIMPLE: Readonly<Record<string, string>> = {
  ...{ string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' },
}

/** Writes schemas as types of TypeScript; `onReference` is given the name of each schema that one refers to. */
export function typeWriter(onReference: (name: string) => void): (schema: Schema, indent: string) => string {
  return write

  function write(schema: Schema, indent: string): string {
    if (schema.$ref !== undefined) {
      onReference(nameOf(schema.$ref))
      return `schemas['${nameOf(schema.$ref)}']`
    }
    if (schema.anyOf) return union(schema.anyOf.map((option) => write(option, indent)))
    const values = schema.const === undefined ? schema.enum : [schema.const]
    if (values) return union(values.map((value) => JSON.stringify(value)))
    const types = [schema.type ?? []].flat()
    return types.length > 0 ? union(types.map((type) => writeOne(type, schema, indent))) : 'unknown'
  }

  function writeOne(type: string, schema: Schema, indent: string): string {
    if (type === 'array') return `(${write(schema.items ?? {}, indent)})[]`.replace(/^\(([\w'[\]]+)\)/, '$1')
    if (type !== 'object') return SIMPLE[type] as string
    const { properties = {}, required = [], additionalProperties } = schema
    const within = `${indent}  `
    const members = Object.entries(properties).flatMap(([name, property]) => [
      ...comment(property.description, within),
      `${within}${key(name)}${required.includes(name) ? '' : '?'}: ${write(property, within)}`,
    ])
    if (members.length > 0) return ['{', ...members, `${indent}}`].join('\n')
    if (additionalProperties === false || schema.maxProperties === 0) return 'Record<string, never>'
    return `{ [key: string]: ${write(typeof additionalProperties === 'object' ? additionalProperties : {}, indent)} }`
  }
}

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1)

/** A description as the line before what it describes. */
export const comment = (text: string | undefined, indent: string): readonly string[] =>
  text === undefined ? [] : [`${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */`]

/** The name of a member, quoted where it is no identifier. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const union = (types: readonly string[]) => [...new Set(types)].join(' | ')
