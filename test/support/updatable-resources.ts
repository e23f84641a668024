import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { FACTORY_DEFINITIONS } from './factory-definitions.ts'

/** The resources whose records can be made by a definition and changed. */
export const changeableOf = ({ resources }: Registry): readonly Resource[] =>
  resources.filter(({ actions, name }) => actions !== embeddedOnly && actions.update && FACTORY_DEFINITIONS[name])
