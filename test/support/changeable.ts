import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { RECIPES } from './recipes.ts'

/** The resources whose records can be made by a recipe and changed. */
export const changeableOf = ({ resources }: Registry): readonly Resource[] =>
  resources.filter(({ actions, name }) => actions !== embeddedOnly && actions.update && RECIPES[name])
