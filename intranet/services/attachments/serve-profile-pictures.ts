import { namesOf } from '@campus/engine/base/narrow'
import type { Database } from '@campus/engine/database/database'
import { notFound } from '@campus/engine/errors'
import { isKnownVersion } from '@campus/engine/http/if-none-match'
import type { FastifyInstance } from 'fastify'
import type { FileStore } from './file-store.ts'
import { PICTURE_TYPES, type PictureFormat, SIZE_PREFIX } from './picture-sizes.ts'
import { keyOf } from './stored-files.ts'

export const PROFILE_PICTURE_ROUTE = { method: 'GET', path: '/uploads/pictures/:name' } as const

const NAME = new RegExp(`^${SIZE_PREFIX}([0-9a-f]{32})\\.jpg$`)

/** Serves profile pictures in the format that the browser prefers, while their person shows them. */
export function mountProfilePictures(
  app: FastifyInstance,
  { database, store }: { readonly database: Database; readonly store: FileStore },
): void {
  app.get<{ Params: { name: string } }>(
    PROFILE_PICTURE_ROUTE.path,
    { config: { isAsset: true } },
    async (request, reply) => {
      const [, size = 'large', name] = NAME.exec(request.params.name) ?? []
      if (name === undefined) throw notFound('There is no such picture.')
      const format = formatFor(request.headers.accept)
      const file = await database.kysely
        .selectFrom('profile_picture_files as version')
        .innerJoin('stored_files as file', 'file.id', 'version.file_id')
        .innerJoin('profile_pictures as picture', 'picture.name', 'version.name')
        .innerJoin('users', 'users.id', 'picture.user_id')
        .select(['file.id', 'file.digest', 'file.bytes'])
        .where('version.name', '=', name)
        .where('version.size', '=', size)
        .where('version.format', '=', format)
        .where('users.image', '=', `/uploads/pictures/${name}.jpg`)
        .executeTakeFirst()
      if (!file) throw notFound('There is no such picture.')
      const headers = {
        'cache-control': 'public, max-age=86400',
        'cross-origin-resource-policy': 'cross-origin',
        etag: `"${file.digest}"`,
        vary: 'Accept',
        'x-content-type-options': 'nosniff',
      }
      if (isKnownVersion(request.headers['if-none-match'], headers.etag)) return reply.code(304).headers(headers).send()
      const stream = await store.read(keyOf(file))
      if (!stream) throw notFound('This file is missing from the storage; whoever runs the service can restore it.')
      return reply.headers(headers).type(PICTURE_TYPES[format]).header('content-length', file.bytes).send(stream)
    },
  )
}

/** Browsers name the formats that they read. Programs that accept anything get a JPEG, as the address says. */
const formatFor = (accept = ''): PictureFormat =>
  namesOf(PICTURE_TYPES).find((format) => accept.includes(PICTURE_TYPES[format])) ?? 'jpeg'
