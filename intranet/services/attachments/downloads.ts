import { message } from '@campus/engine/base/languages/say'
import type { Database } from '@campus/engine/database/database'
import { HttpError, notFound } from '@campus/engine/errors'
import { isKnownVersion } from '@campus/engine/http/if-none-match'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FileLinks } from './file-links.ts'
import { cleanFileName, contentDisposition } from './file-names.ts'
import type { ByteRange, FileStore } from './file-store.ts'
import { readRange } from './ranges.ts'
import { findStoredFile, keyOf, type StoredFile } from './stored-files.ts'

export const FILE_ROUTE = { method: 'GET', path: '/files/:id/:name' } as const

type DownloadDependencies = { readonly database: Database; readonly store: FileStore; readonly links: FileLinks }

/** Serves files at signed addresses, which need no token and expire. */
export function mountDownloads(app: FastifyInstance, { database, store, links }: DownloadDependencies): void {
  app.route<{ Params: { id: string; name: string }; Querystring: Readonly<Record<string, unknown>> }>({
    method: FILE_ROUTE.method,
    url: FILE_ROUTE.path,
    async handler(request, reply) {
      const { id, name } = request.params
      const [path = ''] = request.url.split('?')
      const secondsLeft = links.check(path, request.query)
      const file = await findStoredFile(database, Number(id))
      if (!file) throw notFound('This file is gone.')
      const headers = headersOf(file, cleanFileName(name, 'file'), secondsLeft)
      if (isKnown(request, file)) return reply.code(304).headers(headers).send()
      const range = rangeOf(request, file)
      const stream = await store.read(keyOf(file), range)
      if (!stream) throw notFound('This file is missing from the storage; whoever runs the service can restore it.')
      // Only on success, since a refusal has other headers.
      reply.headers(headers)
      if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${file.bytes}`)
      return reply.header('content-length', range ? range.last - range.first + 1 : file.bytes).send(stream)
    },
  })
}

/** Types that browsers show without running anything. */
const SHOWN =
  /^(application\/pdf|image\/(png|jpeg|gif|webp)|text\/plain; charset=[\w-]+|video\/(mp4|webm|ogg|quicktime))$/

function headersOf({ contentType, digest, storedAt }: StoredFile, name: string, secondsLeft: number) {
  return {
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${secondsLeft}, immutable`,
    'content-disposition': contentDisposition(SHOWN.test(contentType) ? 'inline' : 'attachment', name),
    'content-security-policy': policyOf(contentType),
    'content-type': contentType,
    'cross-origin-resource-policy': 'cross-origin',
    etag: `"${digest}"`,
    'last-modified': storedAt.toUTCString(),
    'x-content-type-options': 'nosniff',
  }
}

/**
 * Policy that lets a file run no script and load nothing. A browser shows a film on a page that loads the address, which a
 * sandbox would prevent.
 */
const policyOf = (contentType: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; ${contentType.startsWith('video/') ? "media-src 'self'" : 'sandbox'}`

/** Returns the requested range, or undefined for the whole file. Throws 416. */
function rangeOf(request: FastifyRequest, file: StoredFile): ByteRange | undefined {
  const requested = mayBePart(request, file) ? readRange(request.headers.range, file.bytes) : 'whole'
  if (requested !== 'nothing') return requested === 'whole' ? undefined : requested
  throw new HttpError(
    416,
    message('The file has {bytes} bytes; the range begins beyond them.', { bytes: file.bytes }),
    {
      headers: { 'Content-Range': `bytes */${file.bytes}` },
    },
  )
}

/** Reports whether the client has the file already (RFC 9110 §13.1). */
function isKnown({ headers }: FastifyRequest, { digest, storedAt }: StoredFile): boolean {
  const match = headers['if-none-match']
  if (match !== undefined) return isKnownVersion(match, `"${digest}"`)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return Math.floor(storedAt.getTime() / 1000) * 1000 <= since
}

/** `If-Range`: a part is of use only with the rest of the same file. */
function mayBePart({ headers }: FastifyRequest, { digest, storedAt }: StoredFile): boolean {
  const condition = headers['if-range']
  if (condition === undefined) return true
  return condition === `"${digest}"` || condition === storedAt.toUTCString()
}
