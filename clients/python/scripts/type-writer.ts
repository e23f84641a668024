import { className, quoted } from './names.ts'
import { nameOf, type Parameter, type Schema } from './schema.ts'
import { writeQuery, writeRecord } from './typed-dicts.ts'

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}
const TIMES = ['date-time', 'date']

/** Writes schemas as Python types, and collects the classes that they need. */
export class TypeWriter {
  readonly #schemas: Readonly<Record<string, Schema>>
  readonly #classes = new Map<string, string>()
  /** Schema of each class, to detect name clashes. */
  readonly #origins = new Map<string, string>()
  /** Fields of a query → class with these fields. */
  readonly #queries = new Map<string, string>()

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas
  }

  /** Returns the classes in the order of their names. */
  get classes(): readonly string[] {
    return [...this.#classes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text)
  }

  /** Returns the type of a value. `name` is the class name of an object without its own name. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return this.#named(nameOf(schema.$ref))
    const options = schema.anyOf ?? []
    if (options.length > 0)
      return union(options.map((option, at) => this.typeOf(option, `${name}${at > 0 ? at + 1 : ''}`)))
    const values = schema.const === undefined ? schema.enum : [schema.const]
    if (values !== undefined) return literal(values)
    const types = [schema.type ?? []].flat()
    return types.length > 0 ? union(types.map((type) => this.#typed(type, schema, name))) : 'Any'
  }

  /** Returns the class of a query, or undefined without parameters. Equal queries share a class. */
  queryOf(parameters: readonly Parameter[], name: string): string | undefined {
    if (parameters.length === 0) return undefined
    const fields = parameters.map(({ name: field, schema, required }) => {
      const type = asked(schema, this.typeOf(schema, name))
      return { field, type: required ? `Required[${type}]` : type }
    })
    const key = JSON.stringify(fields)
    const known = this.#queries.get(key)
    if (known !== undefined) return known
    this.#claim(name, key)
    this.#queries.set(key, name)
    this.#classes.set(name, writeQuery(name, fields))
    return name
  }

  #typed(type: string, schema: Schema, name: string): string {
    if (type === 'array') return `list[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`
    if (type !== 'object') return SIMPLE[type] as string
    if (schema.properties !== undefined) return this.#class(name, schema)
    const { additionalProperties } = schema
    const values = typeof additionalProperties === 'object' ? additionalProperties : {}
    return `dict[str, ${this.typeOf(values, `${name}Value`)}]`
  }

  #named(schemaName: string): string {
    return this.typeOf(this.#schemas[schemaName] as Schema, className(schemaName))
  }

  #class(name: string, schema: Schema): string {
    if (!this.#claim(name, JSON.stringify(schema))) return name
    const fields = Object.entries(schema.properties ?? {}).map(([field, value]) => {
      const type = this.typeOf(value, `${name}${className(field)}`)
      return { field, type: schema.required?.includes(field) ? type : `NotRequired[${type}]`, about: value.description }
    })
    this.#classes.set(name, writeRecord(name, schema.description, fields))
    return name
  }

  /** Reports whether the name is new. Throws if another schema has the name. */
  #claim(name: string, origin: string): boolean {
    const known = this.#origins.get(name)
    if (known !== undefined && known !== origin) throw new Error(`Two different types would be called ${name}.`)
    this.#origins.set(name, origin)
    return known === undefined
  }
}

/** Returns the type of a query parameter. `Asked` accepts one value or a list of values. */
function asked(schema: Schema, type: string): string {
  const { items } = schema
  if (items !== undefined) return `Asked[${type.slice('list['.length, -1)}${isTime(items) ? ' | Time' : ''}]`
  return isTime(schema) ? `${type} | Time` : type
}

const isTime = ({ format }: Schema) => format !== undefined && TIMES.includes(format)

function literal(values: readonly unknown[]): string {
  const written = values.filter((value) => value !== null).map(writeLiteral)
  return union([
    ...(written.length > 0 ? [`Literal[${written.join(', ')}]`] : []),
    ...(values.includes(null) ? ['None'] : []),
  ])
}

const writeLiteral = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : typeof value === 'string' ? quoted(value) : String(value)

/** Returns the union of types, without duplicates and with `None` last. */
const union = (types: readonly string[]): string =>
  [...new Set(types.filter((type) => type !== 'None')), ...(types.includes('None') ? ['None'] : [])].join(' | ')
