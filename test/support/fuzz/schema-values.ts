import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import fc from 'fast-check'

export type Schema = Readonly<Record<string, unknown>>

/** Ids of records that are there, by resource. */
export type KnownIds = ReadonlyMap<string, readonly number[]>

const DEEPEST = 5
const DAYS = { min: new Date('1990-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }

/** Follows a reference within the document. */
export function resolve<T extends Schema>({ components }: OpenapiDocument, part: T): T {
  if (part.$ref === undefined) return part
  const [section = '', name = ''] = String(part.$ref).replace('#/components/', '').split('/')
  const found = components[section]?.[name]
  if (!found) throw new Error(`the document refers to ${part.$ref}, which is not there`)
  return found as T
}

/** Values that a schema of the document allows; where it speaks of ids, mostly ones that are there. */
export function valuesOf(document: OpenapiDocument, ids: KnownIds): (schema: Schema) => fc.Arbitrary<unknown> {
  const known = new Map<string, fc.Arbitrary<unknown>>()

  function of(given: Schema, depth: number): fc.Arbitrary<unknown> {
    const key = given.$ref === undefined ? undefined : `${depth} ${given.$ref}`
    const found = key === undefined ? undefined : known.get(key)
    if (found) return found
    const made = make(resolve(document, given), depth)
    if (key !== undefined) known.set(key, made)
    return made
  }

  function make(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    if ('const' in schema) return fc.constant(schema.const)
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
    if (Array.isArray(schema.allOf)) return objectOf(merged(schema.allOf), depth)
    const types = [schema.type ?? []].flat() as string[]
    const [type] = types.filter((one) => one !== 'null')
    const arbitrary = ofType(type, schema, depth)
    return types.includes('null') ? fc.oneof({ weight: 3, arbitrary }, fc.constant(null)) : arbitrary
  }

  function ofType(type: string | undefined, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return integer(schema)
      case 'number':
        return fc.double({ min: Number(schema.minimum ?? -1000), max: 1000, noNaN: true })
      case 'array':
        if (depth >= DEEPEST) return fc.constant([])
        return fc.array(of(schema.items as Schema, depth + 1), {
          minLength: Number(schema.minItems ?? 0),
          maxLength: Math.max(Number(schema.minItems ?? 0), Math.min(3, Number(schema.maxItems ?? 3))),
        })
      case 'object':
        return objectOf(schema, depth)
      default:
        return text(schema)
    }
  }

  function integer({ description, minimum, maximum }: Schema): fc.Arbitrary<unknown> {
    const there = idsNamedIn(String(description ?? ''))
    const numbers = fc.integer({ min: Number(minimum ?? 0), max: Number(maximum ?? 200) })
    return there.length === 0 ? numbers : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...there) }, numbers)
  }

  /** Ids of the resource that a description begins with: `Id of the project session; null where there is none.` */
  function idsNamedIn(description: string): readonly number[] {
    const [, text = ''] = /^Ids? of (?:the |its )?([a-z ]+)/.exec(description) ?? []
    const words = text.split(' ')
    const names = [3, 2, 1].map((count) => words.slice(0, count).join('_'))
    const found = names.flatMap((name) => [name, `${name}s`, name.replace(/es$/, '')]).find((name) => ids.has(name))
    return ids.get(found ?? '') ?? []
  }

  /** Generates the required properties and some of the others. */
  function objectOf({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<unknown> {
    const names = Object.entries(properties as Readonly<Record<string, Schema>>)
    const model = Object.fromEntries(names.map(([name, schema]) => [name, of(schema, depth + 1)]))
    return fc.record(model, { requiredKeys: required as string[] })
  }

  const merged = (parts: readonly Schema[]): Schema => {
    const all = parts.map((part) => resolve(document, part))
    return {
      properties: Object.assign({}, ...all.map(({ properties }) => properties)),
      required: all.flatMap(({ required = [] }) => required),
    }
  }

  return (schema) => of(schema, 0)
}

function text({ format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<unknown> {
  const dates = fc.date(DAYS).map((date) => date.toISOString())
  if (format === 'date-time') return dates
  if (format === 'date') return dates.map((date) => date.slice(0, 10))
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] })
  const length = { minLength: Number(minLength), maxLength: Math.min(40, Number(maxLength)) }
  return fc.oneof(
    fc.string(length),
    fc.string({ ...length, unit: 'grapheme-ascii' }),
    fc.constantFrom('red', '1', 'on'),
  )
}
