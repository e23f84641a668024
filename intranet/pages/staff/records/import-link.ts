import { isImportable } from '@campus/engine/rest/import/import-file'
import { type Html, html, say } from '../../html.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { staffCaller } from './caller.ts'
import { listRoute, type Routed } from './resource.ts'

/** The way to an import of records, for those who may create them. */
export async function importLink(context: PersonPageContext, resource: Routed): Promise<Html | ''> {
  const { api } = context.dependencies
  if (!isImportable(resource) || !api.mayAll(await staffCaller(context), 'POST', listRoute(resource))) return ''
  return html`<a class="button second" href="/staff/import/new/${resource.name}">${say('Import a table')}</a>`
}
