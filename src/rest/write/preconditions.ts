import { message } from '../../base/languages/say.ts'
import { HttpError } from '../../errors.ts'
import { isKnownVersion } from '../../http/if-none-match.ts'
import type { ActionRequest } from '../action-request.ts'
import type { Resource } from '../declare/declaration.ts'
import { etagOf } from '../encoded-answer.ts'
import type { RequestContext } from '../request-context.ts'
import { shownRecord } from './represent.ts'

/**
 * Throws 412 unless a locked record meets `If-Match` and `If-None-Match` (RFC 9110 §13.2.2; spec: writing 28).
 * Compares ETags weakly, since every ETag of this service is weak.
 */
export async function requirePreconditions(
  context: RequestContext,
  resource: Resource,
  id: number,
  request: ActionRequest,
): Promise<void> {
  const { ifMatch, ifNoneMatch } = request.preconditions ?? {}
  if (ifMatch === undefined && ifNoneMatch === undefined) return
  const isAny = (header: string | undefined) => header?.trim() === '*'
  const needsEtag = [ifMatch, ifNoneMatch].some((header) => header !== undefined && !isAny(header))
  const etag = needsEtag ? await etagOfRecord(context, resource, id, request) : undefined
  const isMatched = (header: string) => isAny(header) || (etag !== undefined && isKnownVersion(header, etag))
  if (ifMatch !== undefined && !isMatched(ifMatch)) throw failed('If-Match')
  if (ifNoneMatch !== undefined && isMatched(ifNoneMatch)) throw failed('If-None-Match')
}

/** Returns the ETag that `GET` returns for the record, or undefined if the caller may not read it. */
async function etagOfRecord(context: RequestContext, resource: Resource, id: number, request: ActionRequest) {
  const record = await shownRecord(context, resource, id, request)
  if (record === undefined) return undefined
  return etagOf(Buffer.from(request.representationOf ? await request.representationOf(record) : record))
}

const failed = (header: 'If-Match' | 'If-None-Match') =>
  new HttpError(
    412,
    header === 'If-Match'
      ? message(
          '`If-Match` does not match the record, which was changed since you read it. Read it again, then repeat your change.',
        )
      : message('`If-None-Match` matches the record. To change an existing record, leave this header out.'),
    { source: { header } },
  )
