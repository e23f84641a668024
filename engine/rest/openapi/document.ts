import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'

/** An OpenAPI 3.1 document, as far as its parts are typed here. */
export type OpenapiDocument = {
  readonly openapi: string
  readonly info: JsonSchema
  readonly servers: readonly JsonSchema[]
  readonly tags: readonly Tag[]
  /** Tags by what they are about, as viewers of such documents show them. */
  readonly 'x-tagGroups': readonly TagGroup[]
  readonly paths: Paths
  /** What the service sends to others, by name. */
  readonly webhooks: Paths
  readonly components: Sections
}

/** Tags with one subject, by their names. */
export type TagGroup = { readonly name: string; readonly tags: readonly string[] }

export type Tag = { readonly name: string; readonly description: string }

/** Path → method in lower case → operation. */
export type Paths = Readonly<Record<string, Readonly<Record<string, JsonSchema | readonly JsonSchema[]>>>>

/** `schemas`, `responses`, … → name → what stands there. */
type Sections = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>

export type Reference = { readonly $ref: string }

/** Gathers what operations of the registry's resources refer to: each part is made when it is first referred to, and only once. */
export class Components {
  readonly registry: Registry
  readonly #sections: Record<string, Record<string, JsonSchema>> = {}

  constructor(registry: Registry) {
    this.registry = registry
  }

  /** A reference to the part of this name. `make` may itself refer to the part that it makes. */
  refer(section: string, name: string, make: () => JsonSchema): Reference {
    const parts = this.#sections[section] ?? {}
    this.#sections[section] = parts
    if (!Object.hasOwn(parts, name)) {
      parts[name] = {}
      parts[name] = make()
    }
    return { $ref: `#/components/${section}/${name}` }
  }

  /** Reports whether a part of this name has been referred to. */
  has(section: string, name: string): boolean {
    return Object.hasOwn(this.#sections[section] ?? {}, name)
  }

  /** Everything gathered, by name. */
  get sections(): Sections {
    return Object.fromEntries(sorted(this.#sections).map(([name, parts]) => [name, Object.fromEntries(sorted(parts))]))
  }
}

const sorted = <T>(parts: Readonly<Record<string, T>>) =>
  Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1))
