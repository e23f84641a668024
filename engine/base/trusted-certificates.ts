import { Worker } from 'node:worker_threads'
import { once } from './once.ts'

const READ = "require('node:tls').createSecureContext()"

/**
 * Has Node read the certificates that the process trusts, in a thread of its own: at the first connection by TLS that would hold the
 * event loop for as long as many requests take.
 */
export const readTrustedCertificates = once(
  () =>
    new Promise<void>((resolve) => {
      const reader = new Worker(READ, { eval: true })
      // Then the first connection reads them.
      reader.once('error', () => resolve())
      reader.once('exit', () => resolve())
    }),
)
