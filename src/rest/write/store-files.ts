import { refuseIfAny } from '../../errors.ts'
import { MAX_DEPTH } from '../../http/params.ts'
import { UploadedFile } from '../../http/uploaded-file.ts'
import type { ActionRequest } from '../action-request.ts'
import type { Resource } from '../declare/declaration.ts'
import { WrongValue } from '../declare/fields/kinds.ts'
import type { Engine } from '../engine.ts'
import { parentIds } from '../read/find.ts'
import { findForWriting } from './find-for-writing.ts'
import { readPayload } from './read-payload.ts'
import { unwrap } from './unwrap.ts'

/**
 * Keeps the files of a payload before the transaction begins, since that takes as long as the files are large. What a
 * payload without a fault is about to refer to is kept; if the transaction fails after all, nobody refers to it.
 */
export async function storeFiles(
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
  { creating }: { readonly creating: boolean },
): Promise<void> {
  const keeper = resource.payload?.files && engine.files
  if (!keeper) return
  const payload = unwrap(resource, request)
  const files = filesIn(payload, '')
  if (files.length === 0) return
  readPayload(resource, payload, { creating, now: engine.clock.now() })
  if (creating) await parentIds(engine.database, request.parents)
  else await findForWriting(engine.database, engine, resource, request, '')

  const errors: Record<string, string[]> = {}
  for (const { file, field, path } of files) {
    try {
      file.id = await keeper.store(file, field)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      errors[path] = [error.message]
    }
  }
  refuseIfAny(errors)
}

type Found = { readonly file: UploadedFile; readonly field: string; readonly path: string }

/** The files in a payload, each with its path as errors name it: `attributes[0].picture`. */
function filesIn(value: unknown, path: string, field = '', depth = 0): Found[] {
  if (value instanceof UploadedFile) return value.staged ? [{ file: value, field, path }] : []
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, part]) => {
    if (Array.isArray(value)) return filesIn(part, `${path}[${name}]`, field, depth + 1)
    return filesIn(part, path === '' ? name : `${path}.${name}`, name, depth + 1)
  })
}
