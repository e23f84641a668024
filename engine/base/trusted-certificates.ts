import { Worker } from 'node:worker_threads'
import { once } from './once.ts'

const READ = "require('node:tls').createSecureContext()"

/** Loads the trusted certificates in a worker thread, since the first TLS connection would block the event loop for long. */
export const readTrustedCertificates = once(
  () =>
    new Promise<void>((resolve) => {
      const reader = new Worker(READ, { eval: true })
      // After an error, the first connection loads them.
      reader.once('error', () => resolve())
      reader.once('exit', () => resolve())
    }),
)
