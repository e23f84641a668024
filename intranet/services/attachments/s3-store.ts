import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { toError } from '@campus/engine/base/caught'
import { unavailable } from '@campus/engine/errors'
import type { S3Config } from '../../settings/config.ts'
import type { FileStore } from './file-store.ts'
import { openBucket } from './s3-client.ts'

export function s3Store(s3: S3Config): FileStore {
  const client = openBucket(s3)
  const { bucket } = s3
  return {
    async put(key, { path, bytes, digest }, contentType) {
      await reach(() =>
        client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: key,
            ContentLength: bytes,
            ContentType: contentType,
            Body: createReadStream(path),
            ChecksumSHA256: Buffer.from(digest, 'hex').toString('base64'),
          }),
        ),
      )
    },

    async read(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`
      const found = await reach(() => client.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range })))
      const body = found?.Body
      return body instanceof Readable ? body : undefined
    },

    async remove(key) {
      await reach(() => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })))
    },
  }
}

/** Returns undefined if the file does not exist. Throws 503 for other errors, which clients must not see. */
async function reach<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (toError(error).name === 'NoSuchKey') return undefined
    const away = unavailable('The storage of the files cannot be reached right now; please try again.', 30)
    away.cause = error
    throw away
  }
}
