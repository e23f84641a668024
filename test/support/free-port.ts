import { randomInt } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Below those that systems give to outgoing connections, so that no call takes one before its service listens. */
const [LOWEST, HIGHEST] = [10_240, 32_767]

/** A free port, for what must know its address before it is made. In a run of tests each is given once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if ((await isFirstToAsk(port)) && (await isFree(port))) return port
  }
}

async function isFirstToAsk(port: number): Promise<boolean> {
  const folder = process.env.CAMPUS_TEST_FOLDER
  if (!folder) return true
  await mkdir(join(folder, 'ports'), { recursive: true })
  return mkdir(join(folder, 'ports', String(port))).then(
    () => true,
    () => false,
  )
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
