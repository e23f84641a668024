import { embeddedOnly, type Resource } from '../../src/rest/declare/declaration.ts'
import type { Registry } from '../../src/rest/declare/registry.ts'
import { RECIPES } from './recipes.ts'

/** The resources whose records can be made by a recipe and changed. */
export const changeableOf = ({ resources }: Registry): readonly Resource[] =>
  resources.filter(({ actions, name }) => actions !== embeddedOnly && actions.update && RECIPES[name])
