import { ENGLISH_DICTIONARY, withDictionary } from '@campus/engine/base/languages/dictionary'
import { inSlices, type Slices } from '@campus/engine/base/slices'
import type { Registry } from '@campus/engine/rest/declare/registry'
import type { OpenapiDocument, TagGroup } from '@campus/engine/rest/openapi/document'
import type { Route } from '@campus/engine/rest/route-table'
import { errorsPage } from './errors/errors-page.ts'
import { type Recorded, readRecorded } from './examples.ts'
import { readGuides } from './guides.ts'
import { layout, type ReferencePage } from './layout.ts'
import { errorsMarkdown, llmsText, resourceMarkdown } from './markdown.ts'
import { newPathOf } from './old-paths.ts'
import { readReference } from './read-reference.ts'
import { searcher } from './search.ts'
import { shownExamples } from './shown-examples.ts'
import { callbackPage, findingsList, guidePage, homePage, missingPage, resourcePage, searchPage } from './views.ts'
import { webhookEventsMarkdown, webhookEventsPage } from './webhook-events.ts'

export type SiteDependencies = {
  readonly document: () => Promise<OpenapiDocument>
  readonly registry: Registry
  readonly table: readonly Route[]
  readonly subjects: readonly TagGroup[]
  readonly baseUrl: string
  /** The certificate that clients must trust explicitly, if any. */
  readonly certificate?: string | undefined
}

export type Rendered = { readonly html: string; readonly status?: number | undefined }

export type Site = Awaited<ReturnType<typeof createSite>>

/** Creates the pages of the reference. Their content is in English, and the site around it in the reader's language. */
export async function createSite(
  dependencies: SiteDependencies,
  recorded: Recorded = readRecorded(dependencies.baseUrl),
) {
  const { baseUrl, certificate } = dependencies
  const document = await dependencies.document()
  const reference = await inSlices(readReference({ ...dependencies, document }))
  const guides = await inSlices(readGuides(baseUrl, certificate))
  const examples = shownExamples(reference, recorded)
  const { resources, subjects } = reference
  const search = searcher(reference, guides)
  const pages = new Map<string, () => ReferencePage | Slices<ReferencePage>>([
    ['/apidoc', () => homePage(document, reference, guides)],
    ['/apidoc/errors', errorsPage],
    ['/apidoc/webhook-events', () => webhookEventsPage(reference)],
    ...resources.map((one) => [`/apidoc/${one.name}`, () => resourcePage(reference, one, examples)] as const),
    ...guides.map((one) => [`/apidoc/guides/${one.name}`, () => guidePage(one, guides)] as const),
  ])
  const llms = () => llmsText({ document, reference, guides, baseUrl })
  const texts = new Map<string, () => string>([
    ['/llms.txt', llms],
    ['/apidoc.md', llms],
    ['/apidoc/errors.md', errorsMarkdown],
    ['/apidoc/webhook-events.md', () => webhookEventsMarkdown(reference)],
    ...resources.map((one) => [`/apidoc/${one.name}.md`, () => resourceMarkdown(reference, one, examples)] as const),
    ...guides.map((one) => [`/apidoc/guides/${one.name}.md`, () => one.markdown] as const),
  ])
  const render = async (page: ReferencePage, path: string, query?: string): Promise<Rendered> => {
    const location = { subjects, guides, path, ...(query ? { query } : {}) }
    return { html: String(await layout(page, location)), status: page.status }
  }
  const inEnglish = (make: () => ReferencePage | Slices<ReferencePage>): Promise<ReferencePage> =>
    withDictionary(ENGLISH_DICTIONARY, async () => {
      const made = make()
      return { ...('next' in made ? await inSlices(made) : made), isInEnglish: true }
    })
  return {
    /** Returns what renders a page, or undefined if there is no such page. */
    page(path: string): (() => Promise<Rendered>) | undefined {
      if (path === '/apidoc/callback') return () => render(callbackPage(), path)
      const make = pages.get(path)
      return make && (async () => render(await inEnglish(make), path))
    },
    /** Returns a page as Markdown, or undefined if there is no such page. */
    markdown: (path: string) => texts.get(path)?.(),
    missing: (path: string) => render(missingPage(path), path),
    newPathOf: (path: string) => newPathOf(path, (page) => pages.has(page)),
    find: search,
    search: (text: string) => render(searchPage(search(text), text), '/apidoc/search', text),
    /** Renders findings for a page that is shown already. */
    findings: async (text: string): Promise<Rendered> => ({ html: String(await findingsList(search(text), text)) }),
  }
}
