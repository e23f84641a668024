import type { Catalogue } from './catalogue.ts'
import type { Resource } from './declaration.ts'
import type { JsonSchema } from './fields/kinds.ts'

/** Every resource by name. */
export class Registry {
  readonly resources: readonly Resource[]
  readonly #byName: ReadonlyMap<string, Resource>
  readonly #constraints: ReadonlyMap<string, string>

  constructor(
    resources: readonly Resource[],
    { constraints }: Pick<Catalogue, 'constraints'> = { constraints: new Map() },
  ) {
    this.resources = resources
    this.#constraints = constraints
    this.#byName = new Map(resources.map((resource) => [resource.name, resource]))
    if (this.#byName.size !== resources.length) throw new Error('two resources have the same name')
  }

  /** Throws when there is none: a declaration names a resource that does not exist. */
  get(name: string): Resource {
    const resource = this.#byName.get(name)
    if (!resource) throw new Error(`no resource is called ${name}`)
    return resource
  }

  /** The column that a constraint of a table is about; undefined for one that is not of columns. */
  columnOf(table: string, constraint: string): string | undefined {
    return this.#constraints.get(`${table}.${constraint}`)
  }

  /** Where the OpenAPI document holds the schema of a representation. */
  readonly schemaOf = (name: string, representation: string): JsonSchema => ({
    $ref: `#/components/schemas/${schemaName(this.get(name), representation)}`,
  })
}

/** The name of a representation's schema in the OpenAPI document: `user`, `user_short`. */
export const schemaName = (resource: Resource, representation: string) =>
  representation === 'record' ? resource.singular : `${resource.singular}_${representation}`
