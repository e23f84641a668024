/** The embedded database's thread: bytes of the PostgreSQL protocol in, bytes out, one message at a time. */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

export type ToWorker = { readonly bytes: Uint8Array } | { readonly close: true }
export type FromWorker = { readonly bytes: Uint8Array } | { readonly failure: string } | { readonly closed: true }

const ERROR_RESPONSE = 0x45 // 'E'
const PANIC = 'VPANIC\0'

const port = parentPort
if (!port) throw new Error('pglite-worker.ts runs only as a worker thread')

const database = await PGlite.create(workerData.folder as string | undefined)
const answer = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

let last: Promise<void> = Promise.resolve()
port.on('message', (message: ToWorker) => {
  last = last.then(() => handle(message)).catch((error: unknown) => answer({ failure: String(error) }))
})
answer({ bytes: new Uint8Array() })

async function handle(message: ToWorker): Promise<void> {
  if ('close' in message) {
    await database.close()
    answer({ closed: true })
    port?.close()
    return
  }
  const out = await database.execProtocolRaw(message.bytes)
  // A copy of our own: the database may hand out a view of the memory it goes on using.
  const bytes = new Uint8Array(out)
  // After a panic it answers nothing any more: whoever waits is told, and the next one opens it anew.
  if (hasPanicked(Buffer.from(bytes.buffer))) process.exit(1)
  answer({ bytes }, [bytes.buffer])
}

/** Looks for an error of that severity, and not just for its letters, which may be in anybody's text. */
function hasPanicked(bytes: Buffer): boolean {
  if (!bytes.includes(PANIC)) return false
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    const end = at + 1 + bytes.readUInt32BE(at + 1)
    if (bytes[at] === ERROR_RESPONSE && bytes.subarray(at, end).includes(PANIC)) return true
  }
  return false
}
