import { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../settings/config.ts'

const ATTEMPTS = 3

export const openBucket = ({ endpoint, region, accessKeyId, secretAccessKey }: S3Config): S3Client =>
  new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: ATTEMPTS,
    // Compatible storage may not know the newer checksums, so each file is sent with one of our own.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
