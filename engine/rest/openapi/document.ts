import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'

export type OpenapiDocument = {
  readonly openapi: string
  readonly info: JsonSchema
  readonly servers: readonly JsonSchema[]
  readonly tags: readonly Tag[]
  /** Groups of tags for document viewers. */
  readonly 'x-tagGroups': readonly TagGroup[]
  readonly paths: Paths
  /** Requests that the service sends, by name. */
  readonly webhooks: Paths
  readonly components: Sections
}

export type TagGroup = { readonly name: string; readonly tags: readonly string[] }

export type Tag = { readonly name: string; readonly description: string }

/** Operations by path and lower-case method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, JsonSchema | readonly JsonSchema[]>>>>

type Sections = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>

export type Reference = { readonly $ref: string }

/** Collects the components that operations refer to. Each is made once, at its first reference. */
export class Components {
  readonly registry: Registry
  readonly #sections: Record<string, Record<string, JsonSchema>> = {}

  constructor(registry: Registry) {
    this.registry = registry
  }

  /** Returns a reference. `make` may refer to the component that it makes. */
  refer(section: string, name: string, make: () => JsonSchema): Reference {
    const parts = this.#sections[section] ?? {}
    this.#sections[section] = parts
    if (!Object.hasOwn(parts, name)) {
      parts[name] = {}
      parts[name] = make()
    }
    return { $ref: `#/components/${section}/${name}` }
  }

  has(section: string, name: string): boolean {
    return Object.hasOwn(this.#sections[section] ?? {}, name)
  }

  get sections(): Sections {
    return Object.fromEntries(sorted(this.#sections).map(([name, parts]) => [name, Object.fromEntries(sorted(parts))]))
  }
}

const sorted = <T>(parts: Readonly<Record<string, T>>) =>
  Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1))
