import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  paginateListObjectsV2,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { toError } from '@campus/engine/base/caught'
import { openBucket } from '@campus/intranet/services/attachments/s3-client'
import type { S3Config } from '@campus/intranet/settings/config'
import type { BackupDestination } from './backup-destination.ts'
import { BackupProblem } from './backup-problem.ts'
import { isOfSchool } from './retention.ts'
import { makeArchive } from './write-archive.ts'

/** A bucket accepts 10,000 parts of an object, which limits an archive to 160 GB. */
const PART_BYTES = 16 * 1_048_576
const PARTS_AT_A_TIME = 2

/** Time that a start waits for the storage. */
const CHECK_MILLISECONDS = 5_000

/** Throws BackupProblem unless the bucket can be listed. */
export async function requireBucket(s3: S3Config, prefix: string): Promise<void> {
  const { bucket: Bucket } = s3
  const client = openBucket(s3)
  try {
    const asked = new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 })
    await client.send(asked, { abortSignal: AbortSignal.timeout(CHECK_MILLISECONDS) })
  } catch (error) {
    throw unreachable(s3, error)
  } finally {
    client.destroy()
  }
}

/** Returns the error for a bucket. A request that the storage refuses is not a temporary problem; one without an answer is. */
export function unreachable({ bucket, endpoint }: S3Config, error: unknown): BackupProblem {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  const isTemporary = status === undefined || status === 429 || status >= 500
  const place = endpoint === undefined ? '' : ` at CAMPUS_S3_ENDPOINT (${endpoint})`
  const { name, message } = toError(error)
  return new BackupProblem(
    `CAMPUS_S3_BUCKET must be a bucket that takes backups (CAMPUS_BACKUP_PREFIX); ${bucket}${place} ${isTemporary ? 'does not answer' : 'refuses'} (${name}: ${message}).`,
    { isTemporary, cause: error },
  )
}

/** Stores backups under a prefix of the bucket. */
export function bucketDestination(s3: S3Config, prefix: string): BackupDestination {
  const client = openBucket(s3)
  const { bucket: Bucket } = s3

  /** Ends unfinished uploads. No other process of the school makes a backup, so they are of processes that were killed. */
  async function dropUnfinished(school: string): Promise<void> {
    // Storages without this list delete unfinished uploads themselves.
    const listed = client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })).catch((error) => {
      if (toError(error).name === 'NotImplemented') return {}
      throw error
    })
    const { Uploads = [] }: ListMultipartUploadsCommandOutput | { Uploads?: undefined } = await listed
    for (const { Key, UploadId } of Uploads) {
      if (Key === undefined || !isOfSchool(Key.slice(prefix.length), school)) continue
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
    async write(source, name, school) {
      // The size is not known before the end, so the archive is uploaded in parts.
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
      await dropUnfinished(school)
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + name }))
    },
  }
}
