import { createRequire } from 'node:module'
import type { Server } from 'node:net'

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
  await server.run()
  return server.httpServer
}
