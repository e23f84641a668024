import type { Message } from '../../base/languages/say.ts'
import { HttpError, refuseIfAny } from '../../errors.ts'
import { MAX_DEPTH } from '../../http/params.ts'
import { UploadedFile } from '../../http/uploaded-file.ts'
import type { ActionRequest } from '../action-request.ts'
import type { Resource } from '../declare/declaration.ts'
import { WrongValue } from '../declare/fields/kinds.ts'
import type { Engine } from '../engine.ts'
import { type Parsed, refusalIn } from './parse.ts'
import { unwrap } from './unwrap.ts'

/**
 * Reads a payload, stores the files of a valid one after `authorize`, and reads it again with their ids. Runs before
 * the transaction, since files take long. If that fails, no record refers to the files.
 */
export async function readWithFiles<T>(
  { files: store }: Engine,
  resource: Resource,
  request: ActionRequest,
  read: () => Promise<T>,
  authorize?: () => Promise<void>,
): Promise<Parsed<T>> {
  const parsed = await read().catch(refusalIn)
  if (!store || !resource.payload?.files || parsed instanceof HttpError) return parsed
  const files = filesIn(unwrap(resource, request), '')
  if (files.length === 0) return parsed
  await authorize?.()
  const errors: Record<string, readonly Message[]> = {}
  for (const { file, field, path } of files) {
    try {
      file.id = await store.store(file, field)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      errors[path] = [error.text]
    }
  }
  refuseIfAny(errors)
  return read().catch(refusalIn)
}

type Found = { readonly file: UploadedFile; readonly field: string; readonly path: string }

/** Returns the files with their paths, such as `attributes[0].picture`. */
function filesIn(value: unknown, path: string, field = '', depth = 0): Found[] {
  if (value instanceof UploadedFile) return value.staged ? [{ file: value, field, path }] : []
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, part]) => {
    if (Array.isArray(value)) return filesIn(part, `${path}[${name}]`, field, depth + 1)
    return filesIn(part, path === '' ? name : `${path}.${name}`, name, depth + 1)
  })
}
