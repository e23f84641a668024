import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { message } from '@campus/engine/base/languages/say'
import { writePrivateFile } from '@campus/engine/base/private-files'
import type { Progress } from '@campus/engine/base/progress'
import { nearest } from '@campus/engine/base/text/nearest'
import { notFound } from '@campus/engine/errors'
import type { Caller } from '@campus/engine/http/caller'
import { parseParams } from '@campus/engine/http/params'
import type { ActionRequest } from '@campus/engine/rest/action-request'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { type ListStream, openListStream, RECORDS_AT_A_TIME } from '@campus/engine/rest/export/list-stream'
import { planIndex } from '@campus/engine/rest/read/actions'
import type { Dependencies } from '../server/database-command.ts'
import { openEngine, operator } from './open-engine.ts'

/** A list to export, selected by a query. Without a file it goes to standard output. */
export type ExportValues = {
  readonly resource: string
  readonly format: 'csv' | 'ndjson'
  readonly query: string
  readonly file?: string | undefined
}

type Exported = {
  readonly resource: string
  readonly records: number
  readonly file: string | null
  /** Base address of the links in the export if it works only on this machine, or null. */
  readonly base_url: string | null
}

/** Writes a whole list to a file, which appears only when complete, or to standard output. Returns the number of records. */
export async function exportForCommand(
  dependencies: Dependencies,
  { resource: name, format, query, file }: ExportValues,
  progress: Progress,
): Promise<Exported> {
  const engine = await openEngine(dependencies)
  const caller = operator('export')
  const resource = listed(engine.registry, name)
  const request = listRequest(caller, query)
  const list = await openListStream(engine, await planIndex(engine, resource, request), format, request)
  try {
    const body = Readable.from(counted(list, progress), { objectMode: false })
    if (file === undefined) await pipeline(body, process.stdout, { end: false })
    else await writePrivateFile(file, (stream) => pipeline(body, stream))
  } finally {
    list.close()
  }
  const { baseUrl } = dependencies.config
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname)
  return { resource: resource.name, records: list.total, file: file ?? null, base_url: isLocal ? baseUrl : null }
}

/** Returns a request for a list. */
export const listRequest = (caller: Caller, query: string): ActionRequest => ({
  caller,
  grant: { ownAssociation: undefined },
  query: parseParams(query),
  rawQuery: query,
  url: '',
  body: undefined,
  params: {},
  key: undefined,
  parents: [],
  prefersRecord: false,
  mayBeStale: false,
  idempotent: undefined,
})

/** Yields the same chunks and counts about as many records for each. */
async function* counted({ chunks, total }: ListStream, progress: Progress): AsyncGenerator<string> {
  let records = 0
  for await (const chunk of chunks) {
    yield chunk
    records = Math.min(total, records + RECORDS_AT_A_TIME)
    progress('records', records, total)
  }
}

/** Finds a list by name. Throws 404 with the nearest name. */
export function listed({ resources }: Registry, name: string): Resource {
  const lists = resources.filter(({ actions }) => actions !== embeddedOnly)
  const found = lists.find((resource) => resource.name === name)
  if (found) return found
  const near = nearest(
    name,
    lists.map((resource) => resource.name),
  )
  throw notFound(
    near === undefined
      ? message('There is no list of {name}.', { name: JSON.stringify(name) })
      : message('There is no list of {name}. Did you mean "{near}"?', { name: JSON.stringify(name), near }),
  )
}
