import { message } from '../../base/languages/say.ts'
import { HttpError } from '../../errors.ts'
import { isAnyVersion, isKnownVersion } from '../../http/if-none-match.ts'
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
  const needsEtags = [ifMatch, ifNoneMatch].some((header) => header !== undefined && !isAnyVersion(header))
  const etags = needsEtags ? await etagsOfRecord(context, resource, id, request) : []
  const isMatched = (header: string) => isAnyVersion(header) || etags.some((etag) => isKnownVersion(header, etag))
  if (ifMatch !== undefined && !isMatched(ifMatch)) throw failed('If-Match')
  if (ifNoneMatch !== undefined && isMatched(ifNoneMatch)) throw failed('If-None-Match')
}

/** Returns the ETags that `GET` may return for the record, or none if the caller may not read it. */
async function etagsOfRecord(
  context: RequestContext,
  resource: Resource,
  id: number,
  request: ActionRequest,
): Promise<readonly string[]> {
  const record = await shownRecord(context, resource, id, request)
  if (record === undefined) return []
  const representations = (await request.representationsOf?.(record, id)) ?? [record]
  return representations.map((text) => etagOf(Buffer.from(text)))
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
