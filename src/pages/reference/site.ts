import type { Registry } from '../../rest/declare/registry.ts'
import type { OpenapiDocument } from '../../rest/openapi/document.ts'
import type { Route } from '../../rest/route-table.ts'
import { readExamples } from './examples.ts'
import { readGuides } from './guides.ts'
import { layout, type ReferencePage } from './layout.ts'
import { newPlaceOf } from './old-paths.ts'
import { readReference } from './read-reference.ts'
import { findingsList, search } from './search.ts'
import { callbackPage, guidePage, homePage, missingPage, resourcePage, searchPage } from './views.ts'

export type SiteDependencies = {
  readonly document: () => OpenapiDocument
  readonly registry: Registry
  readonly table: readonly Route[]
  readonly baseUrl: string
}

/** A page as it is sent. */
export type Rendered = { readonly html: string; readonly status?: number | undefined }

/** The pages of the reference, each made when it is asked for. */
export function createSite(dependencies: SiteDependencies) {
  const document = dependencies.document()
  const reference = readReference({ ...dependencies, document })
  const guides = readGuides(dependencies.baseUrl)
  const examples = readExamples(dependencies.baseUrl)
  const { resources } = reference
  const pages = new Map<string, () => ReferencePage>([
    ['/apidoc', () => homePage(document, reference, guides)],
    ['/apidoc/callback', () => callbackPage],
    ...resources.map((one) => [`/apidoc/${one.name}`, () => resourcePage(reference, one, examples)] as const),
    ...guides.map((one) => [`/apidoc/guides/${one.name}`, () => guidePage(one)] as const),
  ])
  const render = async (page: ReferencePage, path: string, query?: string): Promise<Rendered> => {
    const place = { resources, guides, path, ...(query ? { query } : {}) }
    return { html: String(await layout(page, place)), status: page.status }
  }
  return {
    /** Undefined where there is no such page. */
    page(path: string): Promise<Rendered> | undefined {
      const make = pages.get(path)
      return make && render(make(), path)
    },
    missing: (path: string) => render(missingPage(path), path),
    /** Where a page of a former release is now. */
    newPlaceOf: (path: string) => newPlaceOf(path, (page) => pages.has(page)),
    search: (text: string) => render(searchPage(reference, text), '/apidoc/search', text),
    /** What was found, for a page that is shown already. */
    findings: async (text: string): Promise<Rendered> => ({
      html: String(await findingsList(search(reference, text), text)),
    }),
  }
}
