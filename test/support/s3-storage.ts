import { readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Server } from 'node:net'
import { join } from 'node:path'

/** The bucket of the storage, and who may use it. */
export const BUCKET = 'campus-files'
export const S3 = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** Starts S3-compatible storage that keeps its bucket in the folder. */
export async function openStorage(directory: string, port = 0): Promise<Server> {
  const require = createRequire(import.meta.url)
  const S3rver = require('s3rver')
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  // It has no list of uploads that are not completed, and aborts none.
  server.middleware.unshift(unfinishedUploads(join(directory, BUCKET, '._S3rver_uploads')))
  await server.run()
  return server.httpServer
}

type Asked = {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
  body: string
  status: number
  type: string
}

function unfinishedUploads(folder: string) {
  return async (asked: Asked, next: () => Promise<void>) => {
    const { method, query } = asked
    if (method === 'GET' && 'uploads' in query) {
      const ids = await readdir(folder).catch(() => [])
      const uploads = await Promise.all(
        ids.map(
          async (id) =>
            `<Upload><Key>${await readFile(join(folder, id, 'key'), 'utf8')}</Key><UploadId>${id}</UploadId></Upload>`,
        ),
      )
      asked.type = 'application/xml'
      asked.body = `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`
    } else if (method === 'DELETE' && query.uploadId) {
      await rm(join(folder, query.uploadId), { recursive: true })
      asked.status = 204
    } else await next()
  }
}
