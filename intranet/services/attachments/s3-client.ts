import { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../settings/config.ts'

const ATTEMPTS = 3

/** A client of the storage that the configuration names. */
export const openBucket = ({ endpoint, region, accessKeyId, secretAccessKey }: S3Config): S3Client =>
  new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: ATTEMPTS,
    // Compatible storage does not know the newer checksums, so a checksum of our own is sent with every file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
