import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { toError } from '../../base/caught.ts'
import type { S3Config } from '../../base/config.ts'
import { openBucket } from '../attachments/s3-client.ts'
import type { BackupDestination } from './backup-destination.ts'
import { timeOfName } from './retention.ts'
import { makeArchive } from './write-archive.ts'

/** A bucket takes 10,000 parts of one object: this is an archive of 160 GB. */
const PART_BYTES = 16 * 1_048_576
const PARTS_AT_A_TIME = 2

/** The names in the bucket that begin with the prefix, without it. */
export function bucketDestination(s3: S3Config, prefix: string): BackupDestination {
  const client = openBucket(s3)
  const { bucket: Bucket } = s3

  /** No other process makes a backup, so what is left of one is of a process that was killed. */
  async function dropUnfinished(): Promise<void> {
    // Not every storage has such a list; those that do not, delete what is unfinished themselves.
    const listed = client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })).catch((error) => {
      if (toError(error).name === 'NotImplemented') return {}
      throw error
    })
    const { Uploads = [] }: ListMultipartUploadsCommandOutput | { Uploads?: undefined } = await listed
    for (const { Key, UploadId } of Uploads) {
      if (Key === undefined || timeOfName(Key.slice(prefix.length)) === undefined) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    }
  }

  return {
    async names() {
      const names: string[] = []
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key } of page.Contents ?? []) names.push(String(Key).slice(prefix.length))
      }
      return names
    },
    async write(source, name) {
      // Its length is known at its end: it goes in parts, and is there when all of them are.
      await makeArchive(source, async (Body) => {
        const params = { Bucket, Key: prefix + name, Body, ContentType: 'application/octet-stream' }
        const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_A_TIME })
        const stop = () => void upload.abort()
        source.signal?.addEventListener('abort', stop, { once: true })
        try {
          source.signal?.throwIfAborted()
          await upload.done()
        } finally {
          source.signal?.removeEventListener('abort', stop)
          Body.destroy()
        }
      })
      await dropUnfinished()
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + name }))
    },
  }
}
