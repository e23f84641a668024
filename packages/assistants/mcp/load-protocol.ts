import { setImmediate } from 'node:timers/promises'

/** Modules that together would block the event loop for a tenth of a second. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('@modelcontextprotocol/sdk/server/zod-compat.js'),
  () => import('@modelcontextprotocol/sdk/types.js'),
  () => import('@modelcontextprotocol/sdk/validation/ajv-provider.js'),
  // Node loads its HTTP client for this global.
  async () => Response,
]

export async function loadProtocol() {
  for (const load of PARTS) {
    await load()
    await setImmediate()
  }
  return import('./protocol.ts')
}
