import { setImmediate } from 'node:timers/promises'

/** Each holds the event loop for as long as it is compiled and run; together they would hold it for a tenth of a second. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('@modelcontextprotocol/sdk/server/zod-compat.js'),
  () => import('@modelcontextprotocol/sdk/types.js'),
  () => import('@modelcontextprotocol/sdk/validation/ajv-provider.js'),
  // Node loads its own client of HTTP for it.
  async () => Response,
]

/** Loads what answers messages, a part at a time. */
export async function loadProtocol() {
  for (const load of PARTS) {
    await load()
    await setImmediate()
  }
  return import('./protocol.ts')
}
